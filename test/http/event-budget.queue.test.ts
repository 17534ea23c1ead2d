import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeOnEveryBackend } from '../support/redis.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

describeOnEveryBackend('a limit of ten published events a minute', ({ redisUrl }) => {
  const settings = {
    RATE_LIMIT_PER_MINUTE: '1000',
    RATE_LIMIT_PER_MINUTE_EVENTS: '10',
    QUEUE_PREFIX: `budget_${randomBytes(4).toString('hex')}`,
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
  };
  const publish = async (api: TestApi, count: number, client = api.admin) => {
    const events = Array.from({ length: count }, (_, index) => ({
      type: 'order_created.v0',
      resource_id: `order-${index}`,
      object: {},
    }));
    return client.post('/events', { events });
  };

  it('counts the events of an account, whichever key publishes, and stores nothing beyond', async () => {
    const api = await startTestApi(settings);
    try {
      await api.admin.create('/resource_types', { name: 'order' });
      const { token } = await api.admin.create('/api_keys', { role: 'publisher' });
      expect((await publish(api, 6)).status).toBe(202);
      const refused = await publish(api, 6, api.client(String(token)));
      expect([refused.status, refused.body.error_code]).toEqual([429, 'rate_limited']);
      expect(refused.body.detail).toContain('10 published events per minute. Nothing was stored. Retry after');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      const { rows } = await api.store.pool.query(`select from events where type = 'order_created.v0'`);
      expect(rows).toHaveLength(6);
      // The refused batch did not count, and neither do other accounts.
      expect((await publish(api, 4)).status).toBe(202);
      const stranger = await api.addAccount();
      await stranger.create('/resource_types', { name: 'order' });
      expect((await publish(api, 10, stranger)).status).toBe(202);
    } finally {
      await api.close();
    }
  });
});
