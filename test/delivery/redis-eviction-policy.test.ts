import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import type { Store } from '../../src/database/store.js';
import { openQueues } from '../../src/delivery/queues/queues.js';
import { createLogger } from '../../src/logging/logger.js';
import { createTestStore } from '../support/database.js';
import { startOwnRedis, type OwnRedis } from './support/own-redis.js';

describe.skipIf(inject('redisUrl') === null)('a Redis that may throw keys away', () => {
  let redis: OwnRedis;
  let admin: Redis;
  let store: Store;
  beforeAll(async () => {
    [redis, store] = await Promise.all([startOwnRedis(), createTestStore()]);
    admin = new Redis(redis.url);
  });
  afterAll(async () => {
    admin.disconnect();
    await Promise.all([redis.stop(), store.close()]);
  });

  /** What is logged when the queues are opened on a Redis with this policy. */
  async function saidWith(policy: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    await admin.config('SET', 'maxmemory-policy', policy);
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const queues = await openQueues(readConfig({ REDIS_URL: redis.url }), store, logger);
    try {
      const queue = queues.queue('data_stream');
      await queue.waitUntilReady();
      // Redis answers a connection in turn: what was asked as soon as it was ready is answered before this.
      await queue.getWaitingCount();
    } finally {
      await queues.close();
    }
    return lines.map((line) => JSON.parse(line));
  }

  it.each(['allkeys-lru', 'volatile-ttl'])('is warned of at the start: %s', async (policy) => {
    expect(await saidWith(policy)).toEqual([
      expect.objectContaining({
        level: 40,
        policy,
        msg: 'the Redis of REDIS_URL throws keys away when it is full: set its maxmemory-policy to noeviction',
      }),
    ]);
  });

  it('is not warned of when it refuses instead, as it should', async () => {
    expect(await saidWith('noeviction')).toEqual([]);
  });
});
