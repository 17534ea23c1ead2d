import { Queue, Worker, type IQueueBackend, type WorkerOptions } from 'bullmq';
import type { Config } from '../../config/config.js';
import { storeAddress } from '../../config/store-address.js';
import type { Store } from '../../database/store.js';
import { tokenOf } from '../../lifecycle/provide.js';
import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import { targetKinds, type TargetKind } from '../../targets/target.js';
import type { QueueConnection } from './connection.js';
import type { BatchJob, BatchJobData, BatchJobResult, BatchQueue } from './job.js';
import { connectToPostgres } from './postgres.js';
import { connectToRedis } from './redis.js';

/** Processes one batch job; `token` is the token of the job's lock. */
export type BatchHandler = (job: BatchJob, token?: string) => Promise<BatchJobResult>;
export type BatchWorker = Worker<BatchJobData, BatchJobResult, string, IQueueBackend>;

/** Options of a worker. */
export interface BatchWorkerOptions {
  /** Jobs that it processes concurrently. */
  readonly concurrency: number;
  /**
   * How long a job's lock lasts unless it is renewed, in milliseconds: after that, other workers take a dead worker's
   * job.
   */
  readonly lockMs: number;
  /** Returns the wait before a failed job runs again, in milliseconds. */
  readonly backoffMs: (failures: number) => number;
}

/** The queues on the configured backend, one for each kind of target. */
export interface Queues {
  readonly backend: 'redis' | 'postgres';
  queue(kind: TargetKind): BatchQueue;
  all(): readonly BatchQueue[];
  /**
   * Makes a worker on the queue of `kind`. The caller runs it with `run()`, and closes it before the queues.
   */
  worker(kind: TargetKind, handler: BatchHandler, options: BatchWorkerOptions): BatchWorker;
  /** Closes the queues and their connections. Workers must be closed already. */
  close(): Promise<void>;
}

/** The injection token of `Queues`. */
export const QUEUES = tokenOf<Queues>('Queues');

/** Entries of each queue's event stream, which Waybill does not read. BullMQ's default is 10,000. */
const MAX_STREAM_EVENTS = 100;

/**
 * Finished jobs are kept for the dashboard. Age in seconds; the count bounds them too, since a job lists up to a
 * thousand events.
 */
const KEEP_COMPLETED = { age: 3_600, count: 50 };
const KEEP_FAILED = { age: 86_400, count: 50 };

/**
 * A job runs until its batch is settled: the deadlines of its deliveries end the retries. Fits Postgres's integer.
 */
const UNLIMITED_ATTEMPTS = 1_000_000_000;

/**
 * Opens the five queues: on Redis when REDIS_URL is set, otherwise on Postgres, in the schema QUEUE_PREFIX of the same
 * database. Redis need not be up yet.
 */
export async function openQueues(config: Config, store: Store, logger: Logger): Promise<Queues> {
  const errors = new ThrottledLog(logger);
  const setting = config.REDIS_URL ? 'REDIS_URL' : 'DATABASE_URL';
  const tried = storeAddress(config.REDIS_URL ?? store.connectionString);
  const onError = (error: Error): void =>
    errors.warn(
      error,
      error.message.startsWith('OOM')
        ? 'Redis is out of memory: raise maxmemory; deliveries wait and continue by themselves'
        : 'queue store unreachable or refusing commands; deliveries wait and continue by themselves',
      { setting, tried },
    );
  const connection = config.REDIS_URL
    ? connectToRedis(config.REDIS_URL, config.QUEUE_PREFIX, onError, logger)
    : await connectToPostgres(store, config, onError);

  const jobOptions = { attempts: UNLIMITED_ATTEMPTS, backoff: { type: 'custom' }, stackTraceLimit: 1 };
  const queueOptions = { ...connection.queueOptions, streams: { events: { maxLen: MAX_STREAM_EVENTS } } };
  const workerOptions = (options: BatchWorkerOptions): WorkerOptions => ({
    ...connection.workerOptions(),
    autorun: false,
    name: config.INSTANCE_NAME,
    concurrency: options.concurrency,
    lockDuration: options.lockMs,
    // Another worker takes a dead worker's jobs within a lock and an interval.
    stalledInterval: Math.max(1_000, Math.round(options.lockMs / 3)),
    // By default, a job that stalls twice fails for good. A batch job is safe to run again any number of times.
    maxStalledCount: UNLIMITED_ATTEMPTS,
    // After a lost connection. The default of 15 seconds would delay all deliveries after each restart of Redis.
    runRetryDelay: 1_000,
    settings: { backoffStrategy: (failures) => options.backoffMs(failures) },
  });

  const queues = new Map<TargetKind, BatchQueue>();
  for (const kind of targetKinds) {
    const kept = { removeOnComplete: KEEP_COMPLETED, removeOnFail: KEEP_FAILED };
    const queue: BatchQueue = new Queue(
      kind,
      { ...queueOptions, defaultJobOptions: { ...jobOptions, ...kept } },
      connection.factory,
    );
    queue.on('error', onError);
    queues.set(kind, queue);
  }

  return {
    backend: connection.backend,
    queue(kind) {
      const queue = queues.get(kind);
      if (!queue) throw new Error(`no queue for ${kind}`);
      return queue;
    },
    all: () => [...queues.values()],
    worker(kind, handler, options) {
      const worker: BatchWorker = new Worker(kind, handler, workerOptions(options), connection.factory);
      worker.on('error', onError);
      return closingAtOnce(worker, connection);
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      await connection.close();
    },
  };
}

/**
 * Makes a worker that has never reached its store close at once: it has no job. BullMQ would wait for the store, for as
 * long as the shutdown may take.
 */
function closingAtOnce(worker: BatchWorker, connection: QueueConnection): BatchWorker {
  const close = worker.close.bind(worker);
  return Object.assign(worker, { close: (force = false) => close(force || !connection.wasReached()) });
}
