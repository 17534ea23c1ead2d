import { Module } from '@nestjs/common';
import { DATABASE, type Database } from '../database/database.js';
import { families, familiesWithoutEvents } from './families.js';
import { resourceReferencesController } from './framework/routes/resource-references-controller.js';
import { References } from './framework/service/references.js';
import { serviceToken, type ResourceService } from './framework/service/resource-service.js';
import { ResourcesModule } from './resources.module.js';

const definitions = [...families, ...familiesWithoutEvents].map(({ definition }) => definition);

/** Which resources refer to a resource, for each family. */
@Module({
  imports: [ResourcesModule],
  controllers: definitions.map(resourceReferencesController),
  providers: [
    {
      provide: References,
      inject: [DATABASE, ...definitions.map(serviceToken)],
      useFactory: (db: Database, ...services: readonly ResourceService[]) => new References(db, services),
    },
  ],
})
export class ResourceReferencesModule {}
