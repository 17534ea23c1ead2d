import { Redis } from 'ioredis';
import { redisSockets } from '../../config/redis-sockets.js';
import type { Logger } from '../../logging/logger.js';
import type { QueueConnection } from './connection.js';
import { createQuietRedisBackend, workerScripts } from './quiet-redis-backend.js';

/** Longest wait between two connection attempts, in milliseconds. */
const MAX_RECONNECT_DELAY_MS = 2_000;

/** Longest wait for the response to a command that adds or reads jobs, in milliseconds. */
const COMMAND_TIMEOUT_MS = 5_000;

function retryStrategy(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 10), MAX_RECONNECT_DELAY_MS);
}

/**
 * Connects to Redis or Valkey: one connection for producers, one for all workers (BullMQ opens another for each worker
 * to block on). Waits for a Redis that is down, and reports its errors to `onError`.
 */
export function connectToRedis(
  url: string,
  prefix: string,
  onError: (error: Error) => void,
  logger: Logger,
): QueueConnection {
  const common = { ...redisSockets, retryStrategy };
  // Fails fast while Redis is down: the sweeper adds the job later.
  const producer = new Redis(url, {
    ...common,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
  });
  producer.on('error', onError);
  let reached = false;
  producer.on('ready', () => {
    reached = true;
    void warnOfEviction(producer, logger);
  });
  let shared: Redis | undefined;
  const worker = (): Redis => {
    // Not lazyConnect: BullMQ tries a lazy connection once, so a worker that starts before Redis would never connect.
    shared ??= new Redis(url, { ...common, maxRetriesPerRequest: null, scripts: workerScripts }).on('error', onError);
    return shared;
  };
  return {
    backend: 'redis',
    factory: createQuietRedisBackend,
    queueOptions: { connection: producer, prefix },
    workerOptions: () => ({ connection: worker(), prefix }),
    wasReached: () => reached || shared?.status === 'ready',
    async close() {
      // quit() would wait for a server that may be down. No command is under way.
      producer.disconnect();
      shared?.disconnect();
      await Promise.resolve();
    },
  };
}

/** A Redis that may evict keys loses jobs. The sweeper rebuilds them, at a cost. */
async function warnOfEviction(redis: Redis, logger: Logger): Promise<void> {
  const memory = await redis.info('memory').catch(() => '');
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
  if (policy === undefined || policy === 'noeviction') return;
  logger.warn({ policy }, 'Redis may evict jobs when it is out of memory: set its maxmemory-policy to noeviction');
}
