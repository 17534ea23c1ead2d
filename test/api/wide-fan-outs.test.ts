import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../delivery/support/pipeline.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };
/** The most destinations whose deliveries the transaction of a change creates. */
const MOST_INLINE = 2_000;

async function count(table: 'all_deliveries' | 'fan_out_parts' | 'resources'): Promise<number> {
  const { rows } = await api.store.pool.query<{ count: number }>(
    `select count(*)::int as count from ${table} ${table === 'resources' ? `where kind = 'ip_policy'` : ''}`,
  );
  return rows[0]?.count ?? 0;
}

it('a change with more than 2,000 destinations is made at once, and a worker creates its deliveries', async () => {
  await api.store.pool.query(
    `with made as (
       insert into resources (id, account_id, kind, attributes, created_at, updated_at)
       select 'ed_many' || n, $1, 'event_destination', '{}', now(), now() from generate_series(1, $2::int) n returning id
     )
     insert into event_routes (account_id, event_type, destination_id, subscription_id)
     select $1, 'ip_policy_created.v0', id, (select min(id) from resources where account_id = $1) from made`,
    [api.accountId, MOST_INLINE],
  );
  await api.admin.create('/ip_policies', {});
  expect([await count('all_deliveries'), await count('fan_out_parts')]).toEqual([MOST_INLINE, 0]);

  const { id } = await api.admin.create('/event_destinations', { target });
  const sources = [{ type: 'ip_policy_created.v0' }];
  await api.admin.create('/event_subscriptions', { sources, destination_ids: [id] });
  const policy = await api.admin.create('/ip_policies', { description: 'for everyone' });
  expect((await api.admin.get(policy.path)).body).toMatchObject({ description: 'for everyone' });
  expect([await count('resources'), await count('all_deliveries'), await count('fan_out_parts')]).toEqual([
    2,
    MOST_INLINE,
    2,
  ]);

  await api.startWorker();
  await until(async () => (await count('all_deliveries')) === 2 * MOST_INLINE + 1, 'every delivery is created');
  expect(await count('fan_out_parts')).toBe(0);
  const { deliveries } = (await api.admin.get(`/event_destinations/${id}/deliveries`)).body as { deliveries: object[] };
  expect(deliveries).toHaveLength(1);
});
