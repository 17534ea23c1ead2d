import { createRedisBackend } from 'bullmq';
import { Redis } from 'ioredis';
import type { Logger } from '../../logging/logger.js';
import type { QueueConnection } from './connection.js';

/** Longest wait between two tries to connect, in milliseconds. */
const MAX_RECONNECT_DELAY_MS = 2_000;

/**
 * How long a connection may say nothing while an answer is due, in milliseconds. More than BullMQ blocks on one (ten seconds at
 * most), so that silence means a server that is stopped or a network that swallows everything.
 */
const SILENCE_MS = 15_000;

/** Longest that one who adds or looks at jobs waits for an answer, in milliseconds. */
const COMMAND_TIMEOUT_MS = 5_000;

function retryStrategy(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 10), MAX_RECONNECT_DELAY_MS);
}

/**
 * Connects to Redis or Valkey: one connection for all that add jobs, one for all workers (BullMQ opens one more for each of
 * them to block on). A Redis that is away is waited for; its errors go to `onError`.
 */
export function connectToRedis(
  url: string,
  prefix: string,
  onError: (error: Error) => void,
  logger: Logger,
): QueueConnection {
  const alert = { retryStrategy, socketTimeout: SILENCE_MS, keepAlive: 10_000 };
  // Who adds a job must hear at once that Redis is away, and go on: the sweeper adds the job later.
  const producer = new Redis(url, {
    ...alert,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
  });
  producer.on('error', onError);
  producer.on('ready', () => void warnOfEviction(producer, logger));
  let shared: Redis | undefined;
  const worker = (): Redis => {
    // Not lazyConnect: BullMQ gives a lazy connection one try, and a worker that starts before its Redis would never work.
    shared ??= new Redis(url, { ...alert, maxRetriesPerRequest: null }).on('error', onError);
    return shared;
  };
  return {
    backend: 'redis',
    factory: createRedisBackend,
    queueOptions: { connection: producer, prefix },
    workerOptions: () => ({ connection: worker(), prefix }),
    async close() {
      // quit() would wait for a server that may not be there; nothing of ours is still under way.
      producer.disconnect();
      shared?.disconnect();
      await Promise.resolve();
    },
  };
}

/** A Redis that may throw keys away when it is full loses jobs. The sweeper finds them, each time anew. */
async function warnOfEviction(redis: Redis, logger: Logger): Promise<void> {
  const memory = await redis.info('memory').catch(() => '');
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
  if (policy === undefined || policy === 'noeviction') return;
  logger.warn(
    { policy },
    'the Redis of REDIS_URL throws keys away when it is full: set its maxmemory-policy to noeviction',
  );
}
