import { CONFIG, type Config } from '../config/config.js';
import { RETENTION } from '../config/retention.js';
import { openPoolShare } from '../database/connections/pool-share.js';
import { PROCESS_SESSION } from '../database/connections/process-session.js';
import { DATABASE } from '../database/database.js';
import { EventPartitions } from '../database/partitions/event-partitions.js';
import { STORE } from '../database/store.js';
import { Liveness } from '../health/liveness.js';
import { provide } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { LogKeys } from '../secrets/log-keys.js';
import { SecretStore } from '../secrets/secret-store.js';
import { BatchProcessor } from './attempts/batch-processor.js';
import { DestinationConnections } from './attempts/destination-connections.js';
import { DestinationStore } from './attempts/destination-store.js';
import { LaneGroups } from './attempts/lane-groups.js';
import { TARGET_OF, TargetClients } from './attempts/target-clients.js';
import { Canceller } from './cancellation/canceller.js';
import { DeletedLaneStore } from './cancellation/deleted-lane-store.js';
import { deadlineMsOf } from './deadline.js';
import { DELIVERY_OBSERVER } from './delivery-observer.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { Epochs } from './epochs/epochs.js';
import { LaneStartStore } from './epochs/lane-start-store.js';
import { WitnessCleanup } from './epochs/witness-cleanup.js';
import { WitnessLog } from './epochs/witness-log.js';
import { WITNESS } from './epochs/witness.js';
import { WaitingFanOuts } from './fan-out/waiting-fan-outs.js';
import { FIND_UNLOGGED, FinishedDays } from './finished/finished-days.js';
import { newAttemptToken } from './lanes/attempt-token.js';
import { BatchStore } from './lanes/batch-store.js';
import { InternalErrorStore } from './lanes/internal-error-store.js';
import { LaneStore } from './lanes/lane-store.js';
import { QUEUES } from './queues/queues.js';
import { DeadWorkerStore } from './recovery/dead-worker-store.js';
import { DeadWorkers } from './recovery/dead-workers.js';
import { EpochStarts, RECORD_MARKERS } from './recovery/epoch-starts.js';
import { SweepStore } from './recovery/sweep-store.js';
import { Sweeper } from './recovery/sweeper.js';
import { PRESENCE_TIMES, usualPresenceTimes, WorkerPresence } from './recovery/worker-presence.js';
import { AttemptRollup } from './rollups/attempt-rollup.js';
import { RollupStore } from './rollups/rollup-store.js';
import { DeliveryWorker } from './worker.js';

/** The maintenance of deliveries. */
export const deliveryTasks = [
  Sweeper,
  WaitingFanOuts,
  Canceller,
  AttemptRollup,
  FinishedDays,
  EventPartitions,
  WitnessCleanup,
] as const;

/** What delivers, and the maintenance of deliveries. */
export const workerProviders = [
  provide(DestinationStore, [DATABASE, SecretStore]),
  provide(
    DestinationConnections,
    [DestinationStore, TARGET_OF, CONFIG],
    (destinations, target, config) =>
      new DestinationConnections(destinations, target, {
        sendTimeoutMs: config.DELIVERY_SEND_TIMEOUT_MS,
        monitoringEndpoint: config.MONITORING_ENDPOINT,
        logIngestionEndpoint: config.LOG_INGESTION_ENDPOINT,
        logIngestionAuthority: config.LOG_INGESTION_AUTHORITY,
        logIngestionCaFile: config.LOG_INGESTION_CA_FILE,
      }),
  ),
  provide(PRESENCE_TIMES, [], () => usualPresenceTimes),
  provide(
    WorkerPresence,
    { config: CONFIG, session: PROCESS_SESSION, times: PRESENCE_TIMES },
    ({ config, ...parts }) => new WorkerPresence({ ...parts, instance: config.INSTANCE_NAME }),
  ),
  provide(LaneGroups, [LaneStore]),
  provide(BatchStore, [DATABASE, LogKeys], (db, { logName }) => new BatchStore(db, logName)),
  provide(InternalErrorStore, [DATABASE]),
  provide(
    BatchProcessor,
    {
      config: CONFIG,
      store: STORE,
      presence: WorkerPresence,
      lanes: LaneStore,
      groups: LaneGroups,
      batches: BatchStore,
      internalErrors: InternalErrorStore,
      dispatcher: Dispatcher,
      connections: DestinationConnections,
      liveness: Liveness,
      observer: DELIVERY_OBSERVER,
      witnessLog: WitnessLog,
      logger: LOGGER,
    },
    ({ config, store, presence, ...parts }) =>
      new BatchProcessor({
        ...parts,
        failingLanes: parts.lanes.on(openPoolShare(store.pool)),
        newToken: () => newAttemptToken(presence.idForLeases),
        sendTimeoutMs: config.DELIVERY_SEND_TIMEOUT_MS,
        policy: policyOf(config),
      }),
  ),
  provide(SweepStore, [DATABASE]),
  provide(LaneStartStore, [DATABASE]),
  provide(EpochStarts, {
    laneStarts: LaneStartStore,
    witness: WITNESS,
    recordMarkers: RECORD_MARKERS,
    dispatcher: Dispatcher,
    logger: LOGGER,
  }),
  provide(
    Sweeper,
    {
      config: CONFIG,
      sweeps: SweepStore,
      lanes: LaneStore,
      dispatcher: Dispatcher,
      queues: QUEUES,
      epochs: Epochs,
      epochStarts: EpochStarts,
      observer: DELIVERY_OBSERVER,
      logger: LOGGER,
    },
    ({ config, ...parts }) =>
      new Sweeper({ ...parts, deadlineMs: deadlineMsOf(config), intervalMs: config.SWEEP_INTERVAL_MS }),
  ),
  provide(DeadWorkerStore, [DATABASE]),
  provide(DeadWorkers, {
    presence: WorkerPresence,
    store: DeadWorkerStore,
    lanes: LaneStore,
    queues: QUEUES,
    sweeper: Sweeper,
    observer: DELIVERY_OBSERVER,
    logger: LOGGER,
    times: PRESENCE_TIMES,
  }),
  provide(DeliveryWorker, {
    config: CONFIG,
    queues: QUEUES,
    processor: BatchProcessor,
    destinations: DestinationStore,
    connections: DestinationConnections,
    clients: TargetClients,
    presence: WorkerPresence,
    deadWorkers: DeadWorkers,
    epochs: Epochs,
    sweeper: Sweeper,
    liveness: Liveness,
    logger: LOGGER,
  }),
  provide(WaitingFanOuts, { db: DATABASE, dispatcher: Dispatcher, logger: LOGGER }),
  provide(DeletedLaneStore, [DATABASE]),
  provide(Canceller, [DeletedLaneStore, LOGGER, DELIVERY_OBSERVER]),
  provide(RollupStore, [DATABASE]),
  provide(AttemptRollup, [RollupStore, LOGGER]),
  provide(
    FinishedDays,
    [DATABASE, RETENTION, LOGGER, FIND_UNLOGGED],
    (db, { deliveredMs, undeliveredMs }, logger, findUnlogged) =>
      new FinishedDays(db, Math.max(deliveredMs, undeliveredMs), logger, findUnlogged),
  ),
  provide(
    EventPartitions,
    [DATABASE, RETENTION, LOGGER],
    (db, { eventsMs }, logger) => new EventPartitions(db, eventsMs, logger),
  ),
  provide(WitnessCleanup, [DATABASE, WITNESS, LOGGER]),
];

function policyOf(config: Config) {
  return {
    deadlineMs: deadlineMsOf(config),
    retry: { baseMs: config.DELIVERY_BACKOFF_BASE_MS, capMs: config.DELIVERY_BACKOFF_CAP_MS },
    misconfigured: {
      baseMs: config.DELIVERY_MISCONFIGURED_BACKOFF_BASE_MS,
      capMs: config.DELIVERY_MISCONFIGURED_BACKOFF_CAP_MS,
    },
  };
}
