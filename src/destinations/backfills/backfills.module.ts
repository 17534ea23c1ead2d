import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { DATABASE, type Database } from '../../database/database.js';
import { RetentionMarks } from '../../database/retention-marks.js';
import { DeliveryModule } from '../../delivery/delivery.module.js';
import { Dispatcher } from '../../delivery/dispatch/dispatcher.js';
import { EventsModule } from '../../events/events.module.js';
import { ResourceTypeStore } from '../../events/resource-types/resource-type-store.js';
import { PayloadSchemas } from '../../events/rules/payload-schemas.js';
import { UnevaluatedFilters } from '../../events/rules/unevaluated-filters.js';
import { Lifecycle } from '../../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../../logging/logger.js';
import { maintainWhileListening } from '../../maintenance/maintain-while-listening.js';
import { eventCatalogue } from '../../resources/event-types.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import { serviceToken, type ResourceService } from '../../resources/framework/service/resource-service.js';
import { ResourcesModule } from '../../resources/resources.module.js';
import { BackfillFeeder } from './backfill-feeder.js';
import { BackfillStore } from './backfill-store.js';
import { BackfillsController } from './backfills.controller.js';
import { Backfills } from './backfills.js';

/** Interval between looks for backfills, in milliseconds: the most that a backfill begins late. */
const INTERVAL_MS = 1_000;

const DAY_MS = 86_400_000;

/** The backfills of event destinations: their routes, and the feeder in each api process. */
@Module({
  imports: [ResourcesModule, DeliveryModule, EventsModule],
  controllers: [BackfillsController],
  providers: [
    {
      provide: Backfills,
      inject: [CONFIG, DATABASE, serviceToken(eventDestination)],
      useFactory: (config: Config, db: Database, destinations: ResourceService) =>
        new Backfills({
          db,
          destinations,
          store: new BackfillStore(db),
          marks: new RetentionMarks(db),
          catalogue: eventCatalogue,
          schemas: new PayloadSchemas(eventCatalogue, new ResourceTypeStore(db)),
          eventsPerSecond: config.BACKFILL_EVENTS_PER_SECOND,
          eventsMs: config.RETENTION_EVENTS_DAYS * DAY_MS,
        }),
    },
    {
      provide: BackfillFeeder,
      inject: [CONFIG, LOGGER, DATABASE, Dispatcher, UnevaluatedFilters],
      useFactory: (config: Config, logger: Logger, db: Database, dispatcher: Dispatcher, filters: UnevaluatedFilters) =>
        new BackfillFeeder({
          db,
          dispatcher,
          logger,
          eventsMs: config.RETENTION_EVENTS_DAYS * DAY_MS,
          keptMs: config.RETENTION_DELIVERED_DAYS * DAY_MS,
          report: filters.backfilled,
        }),
    },
  ],
})
export class BackfillsModule implements OnModuleInit {
  constructor(
    @Inject(Lifecycle) private readonly lifecycle: Lifecycle,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(DATABASE) private readonly db: Database,
    @Inject(BackfillFeeder) private readonly feeder: BackfillFeeder,
  ) {}

  onModuleInit(): void {
    maintainWhileListening(
      this.lifecycle,
      { db: this.db, logger: this.logger },
      { name: 'backfills', intervalMs: INTERVAL_MS, run: (control) => this.feeder.feed(control) },
    );
  }
}
