import { DelayedError } from 'bullmq';
import type { Config } from '../config/config.js';
import type { Store } from '../database/store.js';
import type { Logger } from '../logging/logger.js';
import type { SecretStore } from '../secrets/secret-store.js';
import { targetKinds, type Target, type TargetKind, type TargetSettings } from '../targets/target.js';
import { withTimeout } from '../timing/with-timeout.js';
import { BatchProcessor } from './attempts/batch-processor.js';
import { BatchStore } from './lanes/batch-store.js';
import { WeightedSemaphore } from './attempts/concurrency/weighted-semaphore.js';
import { unobserved, type DeliveryObserver } from './delivery-observer.js';
import { DestinationConnections } from './attempts/destination-connections.js';
import { DestinationStore } from './attempts/destination-store.js';
import type { Dispatcher } from './dispatch/dispatcher.js';
import { AdaptiveConcurrency } from './attempts/concurrency/adaptive-concurrency.js';
import type { LaneStore } from './lanes/lane-store.js';
import { InternalErrorStore } from './lanes/internal-error-store.js';
import { LEASE_MS } from './attempts/lease-keeper.js';
import { Liveness } from '../health/liveness.js';
import { Maintenance } from '../maintenance/maintenance.js';
import { MaintenanceTaskStore } from '../maintenance/task-store.js';
import { PruneStore } from './retention/prune-store.js';
import { Pruner } from './retention/pruner.js';
import type { BatchWorker, Queues } from './queues/queues.js';
import { backoffMs } from '../timing/backoff.js';
import { Sweeper } from './recovery/sweeper.js';
import { SweepStore } from './recovery/sweep-store.js';
import { ThrottledLog } from '../logging/throttled-log.js';

/**
 * How long a job's lock lasts unless renewed, in milliseconds. As long as a lease: when a worker dies, its jobs are handed to
 * another (a lock and a stalled interval later) just when their lanes can be leased again.
 */
const LOCK_MS = LEASE_MS;

/** Slow calls may have so many times WORKER_CONCURRENCY places. */
const ELASTICITY = 10;

/**
 * What the batches of slow calls may hold together, in bytes of their payloads: beside it there are the calls that keep a place. A call
 * holds its payloads about three times over (as read, as encoded, as a request); the heap is limited to 384 MiB (package.json).
 */
const SLOW_BYTES = 32 * 1024 * 1024;

/** Wait before a job runs again that failed through a fault of ours (a store that is down), in milliseconds. */
const FAULT_BACKOFF = { baseMs: 500, capMs: 30_000 };

/**
 * Longest that leasing, loading and settling can take together while Postgres is away, in milliseconds: each try ends after
 * ANSWER_TIMEOUT_MS and CONNECTION_TIMEOUT_MS, and a settlement is tried eight times over half a minute.
 */
const LONGEST_BOOKKEEPING_MS = 420_000;

const PRUNE_INTERVAL_MS = 60_000;

/** Part of the shutdown's deadline that is kept for recording what the calls that were ended had done, in milliseconds. */
const RECORDING_MS = 3_000;

/** What a worker works with. */
export interface WorkerParts {
  readonly config: Config;
  readonly store: Store;
  readonly secrets: SecretStore;
  readonly queues: Queues;
  readonly lanes: LaneStore;
  readonly dispatcher: Dispatcher;
  readonly targetOf: (kind: TargetKind) => Target;
  readonly logger: Logger;
  /** Absent where nothing is measured. */
  readonly observer?: DeliveryObserver;
}

/** A running worker. */
export interface DeliveryWorker {
  readonly liveness: Liveness;
  /**
   * Takes no more jobs and waits for those under way; shortly before the deadline it ends their calls and records what they
   * did. What is left then is found by other workers when its lease is over.
   * @param withinMs longest that this may take, in milliseconds
   */
  stop(withinMs: number): Promise<void>;
}

/** Starts a worker on each of the five queues, the sweeper and the pruner. */
export function startWorker(parts: WorkerParts): DeliveryWorker {
  const { config, store, queues, lanes, dispatcher, logger, observer = unobserved } = parts;
  const errors = new ThrottledLog(logger);
  const hours = 3_600_000;
  const days = 24 * hours;
  const deadlineMs = config.DELIVERY_DEADLINE_HOURS * hours;
  const liveness = new Liveness(
    Math.max(60_000, 4 * config.SWEEP_INTERVAL_MS),
    config.DELIVERY_SEND_TIMEOUT_MS + LONGEST_BOOKKEEPING_MS,
  );
  const connections = new DestinationConnections(
    new DestinationStore(store.db, parts.secrets),
    parts.targetOf,
    settingsOf(config),
  );
  connections
    .prepare()
    .catch((error: unknown) =>
      errors.warn(error, 'the clients of the targets are loaded with the first batch'),
    );
  const processor = new BatchProcessor({
    lanes,
    dispatcher,
    connections,
    liveness,
    logger,
    observer,
    batches: new BatchStore(store.db),
    faults: new InternalErrorStore(store.db),
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

  const slowBytes = new WeightedSemaphore(SLOW_BYTES);
  const workers = targetKinds.map((kind): BatchWorker => {
    const worker: BatchWorker = queues.worker(
      kind,
      async (job, token) => {
        try {
          return await processor.process(job, token, places);
        } catch (error) {
          if (!(error instanceof DelayedError)) {
            const { destinationId: destination, batchId: batch } = job.data;
            errors.warn(error, 'the job of a batch failed and will run again', { destination, batch });
          }
          throw error;
        }
      },
      {
        concurrency: config.WORKER_CONCURRENCY,
        lockMs: LOCK_MS,
        backoffMs: (failures) => backoffMs(FAULT_BACKOFF, failures, 0),
      },
    );
    const places = new AdaptiveConcurrency(
      worker,
      config.WORKER_CONCURRENCY,
      config.WORKER_CONCURRENCY * ELASTICITY,
      slowBytes,
    );
    worker.run().catch((error: unknown) => errors.warn(error, 'a worker stopped taking jobs', { kind }));
    return worker;
  });

  const sweeps = new SweepStore(store.db);
  const maintenance = new Maintenance(new MaintenanceTaskStore(store.db), logger, liveness);
  const sweeper = new Sweeper({ sweeps, lanes, dispatcher, queues, deadlineMs, logger });
  maintenance.start({
    name: 'sweep',
    intervalMs: config.SWEEP_INTERVAL_MS,
    run: async () => observer.swept(await sweeper.sweep()),
  });
  const retention = {
    deliveredMs: config.RETENTION_DELIVERED_DAYS * days,
    undeliveredMs: config.RETENTION_UNDELIVERED_DAYS * days,
  };
  const pruner = new Pruner(new PruneStore(store.db), retention, logger);
  maintenance.start({
    name: 'prune',
    intervalMs: PRUNE_INTERVAL_MS,
    run: (control) => pruner.prune(control),
  });
  const clock = setInterval(() => {
    liveness.ticked();
    for (const worker of workers) if (worker.isRunning()) liveness.loopRuns(`the worker for ${worker.name}`);
  }, 1_000);

  return {
    liveness,
    async stop(withinMs) {
      processor.end();
      const maintained = maintenance.stop();
      const closing = workers.map((worker) => worker.close());
      // One that cannot be closed does not keep the others from ending their batches.
      const closed = Promise.allSettled(closing);
      try {
        const callsMs = Math.max(withinMs - RECORDING_MS, withinMs / 2);
        if (!(await withTimeout(closed, callsMs))) {
          processor.abort();
          if (!(await withTimeout(closed, withinMs - callsMs))) {
            logger.warn('batches were still under way at the end of the shutdown; they will be tried again');
          }
        }
        await withTimeout(Promise.all([maintained, dispatcher.idle()]), 1_000);
        await withTimeout(Promise.all(closing), 0);
      } finally {
        clearInterval(clock);
        await connections.close();
      }
    },
  };
}

function settingsOf(config: Config): TargetSettings {
  return {
    sendTimeoutMs: config.DELIVERY_SEND_TIMEOUT_MS,
    monitoringEndpoint: config.MONITORING_ENDPOINT,
    logIngestionEndpoint: config.LOG_INGESTION_ENDPOINT,
    logIngestionAuthority: config.LOG_INGESTION_AUTHORITY,
    logIngestionCaFile: config.LOG_INGESTION_CA_FILE,
  };
}
