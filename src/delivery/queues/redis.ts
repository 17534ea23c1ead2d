import { createRedisBackend } from 'bullmq';
import { Redis } from 'ioredis';
import type { QueueConnection } from './connection.js';

/** Longest wait between two tries to connect, in milliseconds. */
const MAX_RECONNECT_DELAY_MS = 2_000;

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
): QueueConnection {
  // Who adds a job must hear at once that Redis is away, and go on: the sweeper adds the job later.
  const producer = new Redis(url, { retryStrategy, maxRetriesPerRequest: 1, enableOfflineQueue: false });
  producer.on('error', onError);
  let shared: Redis | undefined;
  const worker = (): Redis => {
    // Not lazyConnect: BullMQ gives a lazy connection one try, and a worker that starts before its Redis would never work.
    shared ??= new Redis(url, { retryStrategy, maxRetriesPerRequest: null }).on('error', onError);
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
