import { CONFIG } from '../config/config.js';
import { RETENTION } from '../config/retention.js';
import { DATABASE } from '../database/database.js';
import { deadlineMsOf } from '../delivery/deadline.js';
import { Dispatcher } from '../delivery/dispatch/dispatcher.js';
import { Redeliveries } from '../delivery/redelivery/redeliveries.js';
import { EventRecorder } from '../events/fan-out/event-recorder.js';
import { UnevaluatedFilters } from '../events/rules/unevaluated-filters.js';
import { opened } from '../lifecycle/lifecycle.js';
import { provide } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { eventDestination } from '../resources/families/event-destinations/event-destination.js';
import { serviceToken } from '../resources/framework/service/resource-service.js';
import { BackfillFeeder } from './backfills/backfill-feeder.js';
import { BackfillStore } from './backfills/backfill-store.js';
import { BackfillsController } from './backfills/backfills.controller.js';
import { DestinationDeliveriesController } from './deliveries/destination-deliveries.controller.js';
import { EventDeliveriesController } from './deliveries/event-deliveries.controller.js';
import { DeliverySearchStore } from './deliveries/search/delivery-search-store.js';
import { UndeliveredController } from './deliveries/undelivered.controller.js';
import { DeliveryViewStore } from './deliveries/view/delivery-view-store.js';
import { DestinationTests } from './destination-tests.js';
import { EndedWorkPruning } from './ended-work-pruning.js';
import { HealthReports } from './health/health-reports.js';
import { HealthStore } from './health/health-store.js';
import { DestinationMetricsStore } from './metrics/destination-metrics-store.js';
import { DestinationMetricsController } from './metrics/destination-metrics.controller.js';
import { DestinationRatesController } from './metrics/destination-rates.controller.js';
import { RecoveriesController } from './recoveries/recoveries.controller.js';
import { Recoveries } from './recoveries/recoveries.js';
import { RecoveryRunner } from './recoveries/recovery-runner.js';
import { RecoveryStore } from './recoveries/recovery-store.js';
import { DestinationStatusesController } from './status/destination-statuses.controller.js';
import { LaneViewStore } from './status/lane-view-store.js';
import { StatusStreams } from './status/status-streams.js';
import { TargetKindsController } from './target-kinds.controller.js';

/** The routes of the status, metrics, deliveries, redeliveries, tests and backfills of event destinations. */
export const destinationControllers = [
  DestinationStatusesController,
  DestinationRatesController,
  UndeliveredController,
  DestinationMetricsController,
  DestinationDeliveriesController,
  EventDeliveriesController,
  TargetKindsController,
  BackfillsController,
  RecoveriesController,
];

/** What these routes use, and the tasks that feed backfills and report the health of destinations. */
export const destinationProviders = [
  provide(DeliveryViewStore, [DATABASE]),
  provide(LaneViewStore, [DATABASE, CONFIG], (db, config) => new LaneViewStore(db, deadlineMsOf(config))),
  provide(DeliverySearchStore, [DATABASE]),
  opened('work', provide(StatusStreams, { lanes: LaneViewStore, logger: LOGGER }), (streams) => streams.close()),
  provide(DestinationMetricsStore, [DATABASE]),
  provide(DestinationTests, {
    db: DATABASE,
    recorder: EventRecorder,
    dispatcher: Dispatcher,
    destinations: serviceToken(eventDestination),
    views: DeliveryViewStore,
    lanes: LaneViewStore,
  }),
  provide(BackfillStore, [DATABASE]),
  provide(
    BackfillFeeder,
    { retention: RETENTION, db: DATABASE, dispatcher: Dispatcher, filters: UnevaluatedFilters, logger: LOGGER },
    ({ retention: { eventsMs }, filters, ...parts }) =>
      new BackfillFeeder({ ...parts, eventsMs, report: filters.backfilled }),
  ),
  provide(RecoveryStore, [DATABASE]),
  provide(Recoveries, { db: DATABASE, store: RecoveryStore, recorder: EventRecorder, dispatcher: Dispatcher }),
  provide(RecoveryRunner, {
    store: RecoveryStore,
    recoveries: Recoveries,
    lanes: LaneViewStore,
    redeliveries: Redeliveries,
    logger: LOGGER,
  }),
  provide(EndedWorkPruning, [DATABASE, RETENTION], (db, { deliveredMs }) => new EndedWorkPruning(db, deliveredMs)),
  provide(HealthStore, [DATABASE]),
  provide(HealthReports, [DATABASE, HealthStore, Dispatcher, LOGGER, EventRecorder]),
];
