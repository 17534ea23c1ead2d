import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import type { Store } from '../../src/database/store.js';
import { openQueues } from '../../src/delivery/queues/queues.js';
import { createLogger } from '../../src/logging/logger.js';
import type { RedisServer } from '../../tools/harness/redis-server.js';
import { createTestStore } from '../support/database.js';
import { startOwnRedis } from './support/own-redis.js';

describe.skipIf(inject('redisUrl') === null)('the eviction policy of Redis', () => {
  let redis: RedisServer;
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

  /** Returns what is logged when the queues are opened on a Redis with this policy. */
  async function logWithPolicy(policy: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    await admin.config('SET', 'maxmemory-policy', policy);
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const queues = await openQueues(readConfig({ REDIS_URL: redis.url }), store, logger);
    try {
      const queue = queues.queue('data_stream');
      await queue.waitUntilReady();
      // Redis responds to a connection's commands in order: the check of the policy is done before this.
      await queue.getWaitingCount();
    } finally {
      await queues.close();
    }
    return lines.map((line) => JSON.parse(line));
  }

  it.each(['allkeys-lru', 'volatile-ttl'])('logs a warning at the start when it is %s', async (policy) => {
    expect(await logWithPolicy(policy)).toEqual([
      expect.objectContaining({
        level: 40,
        policy,
        msg: 'Redis may evict jobs when it is out of memory: set its maxmemory-policy to noeviction',
      }),
    ]);
  });

  it('logs nothing when it is noeviction', async () => {
    expect(await logWithPolicy('noeviction')).toEqual([]);
  });
});
