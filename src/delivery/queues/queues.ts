import { DelayedError, Queue, Worker, type IQueueBackend, type Job, type WorkerOptions } from 'bullmq';
import type { Config } from '../../config/config.js';
import type { Store } from '../../database/store.js';
import type { Logger } from '../../logging/logger.js';
import { targetKinds, type TargetKind } from '../../targets/target.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import type { BatchJob, BatchJobData, BatchJobResult, BatchQueue } from './job.js';
import { connectToPostgres } from './postgres.js';
import { connectToRedis } from './redis.js';

/** Works on one batch job; `token` proves that the job is still this worker's. */
export type BatchHandler = (job: BatchJob, token?: string) => Promise<BatchJobResult>;
export type BatchWorker = Worker<BatchJobData, BatchJobResult, string, IQueueBackend>;

/** A queue for work other than deliveries, on the same backend. Its jobs are gone once they have ended. */
export type SideQueue<Data> = Queue<Data, void, string, Data, void, string, IQueueBackend>;
/** Does the work of a job; gives the time at which the job runs again, or null: it has ended. */
export type SideHandler<Data> = (data: Data) => Promise<Date | null>;
export type SideWorker<Data> = Worker<Data, void, string, IQueueBackend>;

/** What a caller decides about a worker. */
export interface BatchWorkerOptions {
  /** Jobs that it runs at once. */
  readonly concurrency: number;
  /** How long a job's lock lasts unless renewed, in milliseconds: a job of a dead worker is free after that. */
  readonly lockMs: number;
  /** Wait before a job that threw runs again, in milliseconds, by how often it has thrown. */
  readonly backoffMs: (failures: number) => number;
}

/** The queues, one for each kind of target, on whichever backend is configured. */
export interface Queues {
  readonly backend: 'redis' | 'postgres';
  queue(kind: TargetKind): BatchQueue;
  all(): readonly BatchQueue[];
  /** The queues beside the five that were opened so far. */
  sides(): readonly { readonly name: string }[];
  /** A worker on the queue of `kind`. It runs once `run()` is called; who made it closes it, before the queues. */
  worker(kind: TargetKind, handler: BatchHandler, options: BatchWorkerOptions): BatchWorker;
  /** Opens a queue beside the five; call it once for each name. */
  side<Data>(name: string): SideQueue<Data>;
  /** A worker on a queue beside the five; as `worker`. */
  sideWorker<Data>(name: string, handler: SideHandler<Data>, options: BatchWorkerOptions): SideWorker<Data>;
  /** Closes the queues and their connections. Workers must be closed already. */
  close(): Promise<void>;
}

/** Entries of each queue's event stream. We do not read them; BullMQ keeps 10,000 unless told. */
const MAX_STREAM_EVENTS = 100;

/**
 * Finished jobs are kept for people to look at, and bounded by count too: a job names up to a thousand events. Age in seconds.
 */
const KEEP_COMPLETED = { age: 3_600, count: 50 };
const KEEP_FAILED = { age: 86_400, count: 50 };

/**
 * A job is tried until its batch is settled; how long that makes sense is decided by the deadlines of the deliveries. Both
 * figures fit Postgres's integer.
 */
const ATTEMPTS_WITHOUT_END = 1_000_000_000;

/**
 * Opens the five queues: on Redis when REDIS_URL is set, else on Postgres, in the schema QUEUE_PREFIX of the same database.
 * This is the one place that chooses. Redis need not be there yet; Postgres is.
 */
export async function openQueues(config: Config, store: Store, logger: Logger): Promise<Queues> {
  const errors = new ThrottledLog(logger);
  const onError = (error: Error): void =>
    errors.warn(
      error,
      error.message.startsWith('OOM')
        ? 'Redis is full: give it more memory (maxmemory); deliveries wait and go on by themselves'
        : 'the queue store cannot be reached or refuses',
    );
  const connection = config.REDIS_URL
    ? connectToRedis(config.REDIS_URL, config.QUEUE_PREFIX, onError, logger)
    : await connectToPostgres(store, config, onError);

  const jobOptions = { attempts: ATTEMPTS_WITHOUT_END, backoff: { type: 'custom' }, stackTraceLimit: 1 };
  const queueOptions = { ...connection.queueOptions, streams: { events: { maxLen: MAX_STREAM_EVENTS } } };
  const workerOptions = (options: BatchWorkerOptions): WorkerOptions => ({
    ...connection.workerOptions(),
    autorun: false,
    name: config.INSTANCE_NAME,
    concurrency: options.concurrency,
    lockDuration: options.lockMs,
    // A dead worker's jobs are found within a lock and an interval.
    stalledInterval: Math.max(1_000, Math.round(options.lockMs / 3)),
    // By default a job that stalls twice fails for good. Ours is safe to run again however often.
    maxStalledCount: ATTEMPTS_WITHOUT_END,
    // After a lost connection; 15 seconds by default, which would be 15 seconds of nothing after each restart of Redis.
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
  const sides: { readonly name: string; close(): Promise<void> }[] = [];

  return {
    backend: connection.backend,
    queue(kind) {
      const queue = queues.get(kind);
      if (!queue) throw new Error(`no queue for ${kind}`);
      return queue;
    },
    all: () => [...queues.values()],
    sides: () => [...sides],
    worker(kind, handler, options) {
      const worker: BatchWorker = new Worker(kind, handler, workerOptions(options), connection.factory);
      worker.on('error', onError);
      return worker;
    },
    side<Data>(name: string) {
      const gone = { removeOnComplete: true, removeOnFail: true };
      const queue: SideQueue<Data> = new Queue(
        name,
        { ...queueOptions, defaultJobOptions: { ...jobOptions, ...gone } },
        connection.factory,
      );
      queue.on('error', onError);
      sides.push(queue);
      return queue;
    },
    sideWorker<Data>(name: string, handler: SideHandler<Data>, options: BatchWorkerOptions) {
      const run = async (job: Job<Data, void>, token?: string): Promise<void> => {
        const again = await handler(job.data);
        if (again === null) return;
        await job.moveToDelayed(Math.max(again.getTime(), Date.now()), token);
        throw new DelayedError();
      };
      const worker: SideWorker<Data> = new Worker(name, run, workerOptions(options), connection.factory);
      worker.on('error', onError);
      return worker;
    },
    async close() {
      await Promise.all([...queues.values(), ...sides].map((queue) => queue.close()));
      await connection.close();
    },
  };
}
