import { Module } from '@nestjs/common';
import { DATABASE, type Database } from '../database/database.js';
import { RetentionMarks } from '../database/retention-marks.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { Dispatcher } from '../delivery/dispatch/dispatcher.js';
import { Redeliveries } from '../delivery/redelivery/redeliveries.js';
import { DeliveryViewStore } from '../delivery/views/delivery-view-store.js';
import { DestinationMetricsStore } from '../delivery/views/destination-metrics-store.js';
import { LaneViewStore } from '../delivery/views/lane-view-store.js';
import { EventRecorder } from '../events/event-recorder.js';
import { EventSearchModule } from '../events/event-search.module.js';
import { EventsModule } from '../events/events.module.js';
import { DeliverySearch } from '../events/search/delivery-search.js';
import { HttpModule } from '../http/http.module.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { eventCatalogue } from './event-types.js';
import { DestinationDeliveriesController } from './families/event-destinations/destination-deliveries.controller.js';
import { DestinationDeliveries } from './families/event-destinations/destination-deliveries.js';
import { DestinationMetricsController } from './families/event-destinations/destination-metrics.controller.js';
import { DestinationMetrics } from './families/event-destinations/destination-metrics.js';
import { DestinationRatesController } from './families/event-destinations/destination-rates.controller.js';
import { DestinationRates } from './families/event-destinations/destination-rates.js';
import { DestinationStatusesController } from './families/event-destinations/destination-statuses.controller.js';
import { DestinationTests } from './families/event-destinations/destination-tests.js';
import { eventDestination } from './families/event-destinations/event-destination.js';
import { StatusStreams } from './families/event-destinations/status-streams.js';
import { UndeliveredController } from './families/event-destinations/undelivered.controller.js';
import { Undelivered } from './families/event-destinations/undelivered.js';
import { serviceToken, type ResourceService } from './framework/resource-service.js';
import { ResourcesModule } from './resources.module.js';

/** The status, metrics, deliveries, redeliveries and tests of event destinations. */
@Module({
  imports: [ResourcesModule, DeliveryModule, EventsModule, EventSearchModule.with(eventCatalogue), HttpModule],
  controllers: [
    DestinationStatusesController,
    DestinationRatesController,
    UndeliveredController,
    DestinationMetricsController,
    DestinationDeliveriesController,
  ],
  providers: [
    {
      provide: DestinationDeliveries,
      inject: [LaneViewStore, DeliverySearch, Redeliveries],
      useFactory: (lanes: LaneViewStore, search: DeliverySearch, redeliveries: Redeliveries) =>
        new DestinationDeliveries({ lanes, search, redeliveries }),
    },
    {
      provide: StatusStreams,
      inject: [LaneViewStore, LOGGER, Lifecycle],
      useFactory: (lanes: LaneViewStore, logger: Logger, lifecycle: Lifecycle) =>
        lifecycle.open(
          'work',
          () => new StatusStreams({ lanes, logger }),
          (streams) => streams.close(),
        ),
    },
    {
      provide: DestinationMetrics,
      inject: [DATABASE],
      useFactory: (db: Database) => new DestinationMetrics(new DestinationMetricsStore(db), new RetentionMarks(db)),
    },
    {
      provide: DestinationRates,
      inject: [DATABASE],
      useFactory: (db: Database) => new DestinationRates(new DestinationMetricsStore(db), new RetentionMarks(db)),
    },
    {
      provide: Undelivered,
      inject: [DeliveryViewStore, DATABASE],
      useFactory: (views: DeliveryViewStore, db: Database) => new Undelivered(views, new RetentionMarks(db)),
    },
    {
      provide: DestinationTests,
      inject: [DATABASE, EventRecorder, Dispatcher, serviceToken(eventDestination), DeliveryViewStore, LaneViewStore],
      useFactory: (
        db: Database,
        recorder: EventRecorder,
        dispatcher: Dispatcher,
        destinations: ResourceService,
        views: DeliveryViewStore,
        lanes: LaneViewStore,
      ) => new DestinationTests({ db, recorder, dispatcher, destinations, views, lanes }),
    },
  ],
})
export class DestinationDeliveriesModule {}
