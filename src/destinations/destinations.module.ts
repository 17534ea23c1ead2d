import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { DATABASE, type Database } from '../database/database.js';
import { RetentionMarks } from '../database/retention-marks.js';
import { deadlineMsOf } from '../delivery/deadline.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { Dispatcher } from '../delivery/dispatch/dispatcher.js';
import { Redeliveries } from '../delivery/redelivery/redeliveries.js';
import { EventSearchModule } from '../events/event-search.module.js';
import { EventsModule } from '../events/events.module.js';
import { EventRecorder } from '../events/fan-out/event-recorder.js';
import { EventStore } from '../events/fan-out/event-store.js';
import { Completeness } from '../events/log/completeness.js';
import { EventSearch } from '../events/log/event-search.js';
import { HttpModule } from '../http/http.module.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { eventCatalogue } from '../resources/event-types.js';
import { eventDestination } from '../resources/families/event-destinations/event-destination.js';
import { serviceToken, type ResourceService } from '../resources/framework/service/resource-service.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { DestinationDeliveriesController } from './deliveries/destination-deliveries.controller.js';
import { DestinationDeliveries } from './deliveries/destination-deliveries.js';
import { EventDeliveriesController } from './deliveries/event-deliveries.controller.js';
import { EventDeliveries } from './deliveries/event-deliveries.js';
import { DeliverySearchStore } from './deliveries/search/delivery-search-store.js';
import { DeliverySearch } from './deliveries/search/delivery-search.js';
import { UndeliveredController } from './deliveries/undelivered.controller.js';
import { Undelivered } from './deliveries/undelivered.js';
import { DeliveryViewStore } from './deliveries/view/delivery-view-store.js';
import { DestinationTests } from './destination-tests.js';
import { DestinationMetricsStore } from './metrics/destination-metrics-store.js';
import { DestinationMetricsController } from './metrics/destination-metrics.controller.js';
import { DestinationMetrics } from './metrics/destination-metrics.js';
import { DestinationRatesController } from './metrics/destination-rates.controller.js';
import { DestinationRates } from './metrics/destination-rates.js';
import { DestinationStatusesController } from './status/destination-statuses.controller.js';
import { LaneViewStore } from './status/lane-view-store.js';
import { StatusStreams } from './status/status-streams.js';

/** The status, metrics, deliveries, redeliveries and tests of event destinations. */
@Module({
  imports: [ResourcesModule, DeliveryModule, EventsModule, EventSearchModule.with(eventCatalogue), HttpModule],
  controllers: [
    DestinationStatusesController,
    DestinationRatesController,
    UndeliveredController,
    DestinationMetricsController,
    DestinationDeliveriesController,
    EventDeliveriesController,
  ],
  providers: [
    {
      provide: DeliveryViewStore,
      inject: [DATABASE],
      useFactory: (db: Database) => new DeliveryViewStore(db),
    },
    {
      provide: LaneViewStore,
      inject: [DATABASE, CONFIG],
      useFactory: (db: Database, config: Config) => new LaneViewStore(db, deadlineMsOf(config)),
    },
    {
      provide: DeliverySearch,
      inject: [DATABASE, EventSearch],
      useFactory: (db: Database, events: EventSearch) =>
        new DeliverySearch({
          store: new DeliverySearchStore(db),
          completeness: new Completeness(new RetentionMarks(db)),
          events,
        }),
    },
    {
      provide: EventDeliveries,
      inject: [DATABASE, DeliveryViewStore],
      useFactory: (db: Database, views: DeliveryViewStore) =>
        new EventDeliveries(new EventStore(db), views, new RetentionMarks(db)),
    },
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
  exports: [LaneViewStore],
})
export class DestinationsModule {}
