import { Module } from '@nestjs/common';
import { EventSearchModule } from '../events/event-search.module.js';
import { eventCatalogue } from './event-types.js';
import { families } from './families.js';
import { resourceHistoryController } from './framework/routes/resource-history-controller.js';
import { ResourcesModule } from './resources.module.js';

/** The events of one resource, for each family. */
@Module({
  imports: [ResourcesModule, EventSearchModule.with(eventCatalogue)],
  controllers: families.map(({ definition }) => resourceHistoryController(definition)),
})
export class ResourceHistoriesModule {}
