import type { Config } from '../config/config.js';
import { EventPartitions } from '../database/event-partitions.js';
import { openPoolShare } from '../database/pool-share.js';
import type { ProcessSession } from '../database/process-session.js';
import type { Store } from '../database/store.js';
import { Liveness } from '../health/liveness.js';
import type { Logger } from '../logging/logger.js';
import { Maintenance, type MaintenanceTask } from '../maintenance/maintenance.js';
import { MaintenanceTaskStore } from '../maintenance/task-store.js';
import type { SecretStore } from '../secrets/secret-store.js';
import { targetKinds, type Target, type TargetKind } from '../targets/target.js';
import { withTimeout } from '../timing/with-timeout.js';
import { BatchProcessor } from './attempts/batch-processor.js';
import { makeBatchWorkers } from './attempts/batch-workers.js';
import { DestinationConnections } from './attempts/destination-connections.js';
import { DestinationStore } from './attempts/destination-store.js';
import { LaneGroups } from './attempts/lane-groups.js';
import type { TargetClients } from './attempts/target-clients.js';
import { Canceller } from './cancellation/canceller.js';
import { DeletedLaneStore } from './cancellation/deleted-lane-store.js';
import { deadlineMsOf } from './deadline.js';
import { unobserved, type DeliveryObserver } from './delivery-observer.js';
import type { Dispatcher } from './dispatch/dispatcher.js';
import type { Epochs } from './epochs/epochs.js';
import { LaneStartStore } from './epochs/lane-start-store.js';
import { WitnessCleanup } from './epochs/witness-cleanup.js';
import type { WitnessLog } from './epochs/witness-log.js';
import type { Witness } from './epochs/witness.js';
import { FanOutStore } from './fan-out/fan-out-store.js';
import { WaitingFanOuts } from './fan-out/waiting-fan-outs.js';
import { FinishedDays } from './finished/finished-days.js';
import { newAttemptToken } from './lanes/attempt-token.js';
import { BatchStore } from './lanes/batch-store.js';
import { InternalErrorStore } from './lanes/internal-error-store.js';
import type { LaneStore } from './lanes/lane-store.js';
import type { Queues } from './queues/queues.js';
import { DeadWorkerStore } from './recovery/dead-worker-store.js';
import { CONFIRM_MS, DeadWorkers } from './recovery/dead-workers.js';
import { EpochStarts, type MarkerOf } from './recovery/epoch-starts.js';
import { SweepStore } from './recovery/sweep-store.js';
import { Sweeper } from './recovery/sweeper.js';
import { WorkerPresence } from './recovery/worker-presence.js';
import { PruneStore } from './retention/prune-store.js';
import { Pruner } from './retention/pruner.js';
import { AttemptRollup } from './rollups/attempt-rollup.js';
import { RollupStore } from './rollups/rollup-store.js';

/**
 * Longest time to lease, load and settle a batch while Postgres is down, in milliseconds: each try ends after
 * SILENCE_TIMEOUT_MS and CONNECTION_TIMEOUT_MS, which counts twice in a share of the pool, and a settlement is tried
 * eight times within half a minute.
 */
const MAX_BOOKKEEPING_MS = 500_000;

const PRUNE_INTERVAL_MS = 60_000;
const FINISHED_DAYS_INTERVAL_MS = 600_000;
const ROLLUP_INTERVAL_MS = 15_000;
const CANCEL_INTERVAL_MS = 5_000;
const PARTITION_INTERVAL_MS = 3_600_000;
const WITNESS_CLEANUP_INTERVAL_MS = 3_600_000;

/** Interval between looks for waiting fan-outs, in milliseconds: the most that a large fan-out is late. */
const FAN_OUT_INTERVAL_MS = 1_000;

/** Part of the shutdown deadline that is reserved to record the aborted calls, in milliseconds. */
const RECORDING_MS = 3_000;

const DAY_MS = 86_400_000;

/** What a worker works with. */
export interface WorkerParts {
  readonly config: Config;
  readonly store: Store;
  /** The session of the process, for the presence of the worker. */
  readonly session: ProcessSession;
  readonly secrets: SecretStore;
  readonly queues: Queues;
  readonly lanes: LaneStore;
  readonly dispatcher: Dispatcher;
  readonly targetOf: (kind: TargetKind) => Target;
  readonly clients: TargetClients;
  readonly logger: Logger;
  readonly observer?: DeliveryObserver;
  readonly epochs: Epochs;
  readonly witness: Witness | null;
  readonly witnessLog: WitnessLog;
  readonly markerOf: MarkerOf;
  /** Records the progress of the worker. */
  readonly liveness: Liveness;
  /** How long the session of a presence may be lost, in milliseconds; absent: the usual times. */
  readonly presenceTimes?: { readonly lostMs: number; readonly confirmMs: number };
  /** Maintenance of other layers, which the worker runs beside its own. */
  readonly tasks?: readonly MaintenanceTask[];
}

/** Returns the liveness of a worker with these settings, before the worker starts. */
export function workerLiveness(config: Pick<Config, 'SWEEP_INTERVAL_MS' | 'DELIVERY_SEND_TIMEOUT_MS'>): Liveness {
  return new Liveness(
    Math.max(60_000, 4 * config.SWEEP_INTERVAL_MS),
    config.DELIVERY_SEND_TIMEOUT_MS + MAX_BOOKKEEPING_MS,
  );
}

/** A running worker. */
export interface DeliveryWorker {
  /**
   * Takes no more jobs and waits for those under way. Shortly before the deadline, it aborts their calls and records
   * the outcomes. Other workers find the rest when its leases expire.
   * @param withinMs the deadline, in milliseconds from now
   */
  stop(withinMs: number): Promise<void>;
}

/**
 * Starts the maintenance, and the workers of the five queues: each one when the client of its kind is loaded, so that
 * no job waits in a slot for it. Until then, other processes may take the jobs of that kind.
 */
export function startWorker(parts: WorkerParts): DeliveryWorker {
  const { config, store, session, queues, lanes, dispatcher, witnessLog, logger, liveness } = parts;
  const { observer = unobserved } = parts;
  const deadlineMs = deadlineMsOf(config);
  const destinations = new DestinationStore(store.db, parts.secrets);
  const connections = openConnections(parts, destinations);
  const presence = new WorkerPresence({
    session,
    instance: config.INSTANCE_NAME,
    lostMs: parts.presenceTimes?.lostMs,
    onPresenceLost: () => {
      logger.warn('other workers may have ended the leases of this one: its calls are aborted and repeated');
      processor.abortCalls();
    },
  });
  const processor = new BatchProcessor({
    lanes,
    failingLanes: lanes.on(openPoolShare(store.pool)),
    groups: new LaneGroups(lanes),
    dispatcher,
    connections,
    liveness,
    logger,
    observer,
    witnessLog,
    newToken: () => newAttemptToken(presence.idForLeases),
    batches: new BatchStore(store.db),
    internalErrors: new InternalErrorStore(store.db),
    sendTimeoutMs: config.DELIVERY_SEND_TIMEOUT_MS,
    policy: {
      deadlineMs,
      retry: { baseMs: config.DELIVERY_BACKOFF_BASE_MS, capMs: config.DELIVERY_BACKOFF_CAP_MS },
      misconfigured: {
        baseMs: config.DELIVERY_MISCONFIGURED_BACKOFF_BASE_MS,
        capMs: config.DELIVERY_MISCONFIGURED_BACKOFF_CAP_MS,
      },
    },
  });
  const kindWorkers = makeBatchWorkers(queues, processor, config, logger);
  const workers = kindWorkers.map(({ worker }) => worker);
  let isStopping = false;
  // After the presence: the leases name it, and loading keeps the process busy while the batches of a dead worker wait.
  const loading = presence.tried.then(() =>
    isStopping
      ? null
      : parts.clients.start(
          () => kindsToLoad(destinations, queues),
          (loaded) => isStopping || kindWorkers.find(({ kind }) => kind === loaded)?.run(),
        ),
  );
  const { maintenance, sweeperParts } = startMaintenance(parts, deadlineMs, liveness);
  const deadWorkers = new DeadWorkers({
    presence,
    store: new DeadWorkerStore(store.db),
    sweeps: sweeperParts.sweeps,
    queues,
    confirmMs: parts.presenceTimes?.confirmMs,
    sweepAfter: (name) => new Sweeper({ ...sweeperParts, afterDeath: { name, sinceMs: CONFIRM_MS } }).sweep(),
    observer,
    logger,
  });
  deadWorkers.start();
  // Migrations and loading may have taken long since the liveness was created.
  liveness.ticked();
  const heartbeat = setInterval(() => {
    liveness.ticked();
    for (const worker of workers) if (worker.isRunning()) liveness.loopRuns(`the worker for ${worker.name}`);
  }, 1_000);

  return {
    async stop(withinMs) {
      isStopping = true;
      void loading.then((stopLoading) => stopLoading?.());
      processor.stop();
      const maintenanceStopped = Promise.all([maintenance.stop(), deadWorkers.stop()]);
      const closing = workers.map((worker) => worker.close());
      // When one cannot be closed, the others still end their batches.
      const closed = Promise.allSettled(closing);
      let isDone = true;
      try {
        const callsMs = Math.max(withinMs - RECORDING_MS, withinMs / 2);
        if (!(await withTimeout(closed, callsMs))) {
          processor.abort();
          if (!(await withTimeout(closed, withinMs - callsMs))) {
            isDone = false;
            logger.warn('shutdown deadline reached with batches under way; another worker will retry them');
          }
        }
        await withTimeout(Promise.all([maintenanceStopped, dispatcher.idle()]), 1_000);
        // Throws the error of a worker that failed to close; does not wait for the others.
        await withTimeout(Promise.all(closing), 0);
      } finally {
        clearInterval(heartbeat);
        await presence.leave(isDone);
        await connections.close();
      }
    },
  };
}

/** Returns the kinds of target that have destinations, or jobs: those of a deleted destination end as well. */
async function kindsToLoad(destinations: DestinationStore, queues: Queues): Promise<readonly TargetKind[]> {
  const used = await destinations.kindsInUse();
  const others = targetKinds.filter((kind) => !used.includes(kind));
  const waiting = await Promise.all(others.map((kind) => queues.queue(kind).count()));
  return [...used, ...others.filter((_, index) => (waiting[index] ?? 0) > 0)];
}

function openConnections({ config, targetOf }: WorkerParts, destinations: DestinationStore): DestinationConnections {
  return new DestinationConnections(destinations, targetOf, {
    sendTimeoutMs: config.DELIVERY_SEND_TIMEOUT_MS,
    monitoringEndpoint: config.MONITORING_ENDPOINT,
    logIngestionEndpoint: config.LOG_INGESTION_ENDPOINT,
    logIngestionAuthority: config.LOG_INGESTION_AUTHORITY,
    logIngestionCaFile: config.LOG_INGESTION_CA_FILE,
  });
}

function startMaintenance(parts: WorkerParts, deadlineMs: number, liveness: Liveness) {
  const { config, store, lanes, dispatcher, queues, epochs, witness, markerOf, logger } = parts;
  const { observer = unobserved, tasks = [] } = parts;
  const maintenance = new Maintenance(new MaintenanceTaskStore(store.db), logger, liveness);
  const sweeps = new SweepStore(store.db);
  const epochStarts = new EpochStarts({
    laneStarts: new LaneStartStore(store.db),
    witness,
    markerOf,
    dispatcher,
    logger,
  });
  const sweeperParts = { sweeps, lanes, dispatcher, queues, epochs, epochStarts, deadlineMs, logger };
  const sweeper = new Sweeper(sweeperParts);
  maintenance.start({
    name: 'sweep',
    intervalMs: config.SWEEP_INTERVAL_MS,
    run: async () => observer.swept(await sweeper.sweep()),
  });
  // What was fenced waits: for the start of an epoch, or for a claim.
  epochs.onAdmitted(() => void sweeper.sweep().catch(() => undefined));
  if (witness) {
    const cleanup = new WitnessCleanup(store.db, witness, logger);
    maintenance.start({
      name: 'witness_cleanup',
      intervalMs: WITNESS_CLEANUP_INTERVAL_MS,
      run: () => cleanup.run(),
    });
  }
  const fanOuts = new WaitingFanOuts(new FanOutStore(store.db), dispatcher, logger);
  maintenance.start({
    name: 'fan_out',
    intervalMs: FAN_OUT_INTERVAL_MS,
    run: (control) => fanOuts.finish(control),
  });
  const canceller = new Canceller(new DeletedLaneStore(store.db), logger);
  maintenance.start({
    name: 'cancel',
    intervalMs: CANCEL_INTERVAL_MS,
    run: async (control) => observer.cancelled(await canceller.cancel(control)),
  });
  const retention = {
    deliveredMs: config.RETENTION_DELIVERED_DAYS * DAY_MS,
    undeliveredMs: config.RETENTION_UNDELIVERED_DAYS * DAY_MS,
    eventsMs: config.RETENTION_EVENTS_DAYS * DAY_MS,
  };
  const pruner = new Pruner(new PruneStore(store.db), retention, logger);
  maintenance.start({
    name: 'prune',
    intervalMs: PRUNE_INTERVAL_MS,
    run: (control) => pruner.prune(control),
  });
  const partitions = new EventPartitions(store.db, retention.eventsMs, logger);
  maintenance.start({
    name: 'partitions',
    intervalMs: PARTITION_INTERVAL_MS,
    run: async () => {
      await partitions.ensure();
      await partitions.dropOld();
    },
  });
  const finishedDays = new FinishedDays(store.db, Math.max(retention.deliveredMs, retention.undeliveredMs), logger);
  maintenance.start({
    name: 'finished_days',
    intervalMs: FINISHED_DAYS_INTERVAL_MS,
    run: (control) => finishedDays.keep(control),
  });
  const rollup = new AttemptRollup(new RollupStore(store.db), logger);
  maintenance.start({ name: 'attempt_rollup', intervalMs: ROLLUP_INTERVAL_MS, run: (control) => rollup.turn(control) });
  for (const task of tasks) maintenance.start(task);
  return { maintenance, sweeperParts };
}
