import { DelayedError } from 'bullmq';
import type { Config } from '../../config/config.js';
import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import { targetKinds, type TargetKind } from '../../targets/target.js';
import { backoffMs } from '../../timing/backoff.js';
import type { BatchWorker, Queues } from '../queues/queues.js';
import type { BatchProcessor } from './batch-processor.js';
import { AdaptiveConcurrency } from './concurrency/adaptive-concurrency.js';
import { WeightedSemaphore } from './concurrency/weighted-semaphore.js';
import { LEASE_MS } from './lease-keeper.js';

/**
 * How long a job's lock lasts unless it is renewed, in milliseconds. As long as a lease: when a worker dies, another
 * one gets its jobs (a lock and a stalled interval later) just when their lanes can be leased again.
 */
const LOCK_MS = LEASE_MS;

/** Most slots of a worker with slow calls, as a multiple of WORKER_CONCURRENCY. */
const MAX_SLOTS_FACTOR = 20;

/**
 * Bytes of payloads that the batches of slow calls may hold together. A call holds its payloads about three times (as
 * read, as encoded, as a request), and the heap is limited to 384 MiB (package.json).
 */
const SLOW_BYTES = 32 * 1024 * 1024;

/** Backoff of a job that failed with an internal error, such as a store that is down, in milliseconds. */
const JOB_BACKOFF = { baseMs: 500, capMs: 30_000 };

/** Settings of the workers. */
export type BatchWorkerSettings = Pick<Config, 'WORKER_CONCURRENCY' | 'DELIVERY_SEND_TIMEOUT_MS'>;

/** A BullMQ worker on the queue of a kind of target. */
export interface KindWorker {
  readonly kind: TargetKind;
  readonly worker: BatchWorker;
  /** Begins to take jobs. */
  run(): void;
}

/** Makes a BullMQ worker on each of the five queues, which takes no jobs until it runs. */
export function makeBatchWorkers(
  queues: Queues,
  processor: BatchProcessor,
  { WORKER_CONCURRENCY: concurrency, DELIVERY_SEND_TIMEOUT_MS: sendTimeoutMs }: BatchWorkerSettings,
  logger: Logger,
): readonly KindWorker[] {
  const errors = new ThrottledLog(logger);
  const slowBytes = new WeightedSemaphore(SLOW_BYTES);
  return targetKinds.map((kind) => {
    const worker: BatchWorker = queues.worker(
      kind,
      async (job, token) => {
        try {
          return await processor.process(job, token, slots);
        } catch (error) {
          if (!(error instanceof DelayedError)) {
            const { destinationId: destination, batchId: batch } = job.data;
            errors.warn(error, 'a batch job failed; BullMQ will run it again', { destination, batch });
          }
          throw error;
        }
      },
      { concurrency, lockMs: LOCK_MS, backoffMs: (failures) => backoffMs(JOB_BACKOFF, failures, 0) },
    );
    const slots = new AdaptiveConcurrency(
      worker,
      concurrency,
      concurrency * MAX_SLOTS_FACTOR,
      slowBytes,
      sendTimeoutMs,
    );
    const run = (): void => {
      worker
        .run()
        .catch((error: unknown) => errors.warn(error, 'a BullMQ worker stopped; /livez reports it', { kind }));
    };
    return { kind, worker, run };
  });
}
