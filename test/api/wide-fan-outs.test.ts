import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../tools/harness/until.js';
import { copyRow } from '../support/large-rows.js';
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

it('a deletion of many routes creates at most 2,000 deliveries in its transaction, and a worker the others', async () => {
  const own = await startTestApi();
  const type = 'https_edge_route_deleted.v0';
  const destination = await own.admin.create('/event_destinations', { target });
  await own.admin.create('/event_subscriptions', { sources: [{ type }], destination_ids: [destination.id] });
  const edge = await own.admin.create('/edges/https', {});
  const route = await own.admin.create(`${edge.path}/routes`, { match_type: 'exact_path', match: '/' });
  await copyRow(own.store, 'resources', {
    where: `id = '${route.id}'`,
    changed: `'id', '${route.id}' || n, 'attributes', row.attributes || jsonb_build_object('match', '/' || n)`,
    count: MOST_INLINE + 99,
  });
  const counted = async (from: string) => {
    const { rows } = await own.store.pool.query<{ count: number }>(`select count(*)::int as count from ${from}`);
    return rows[0]?.count;
  };
  const delivered = `all_deliveries where destination_id = '${destination.id}'`;
  expect((await own.admin.delete(edge.path)).status).toBe(204);
  expect([await counted(delivered), await counted('fan_out_parts')]).toEqual([MOST_INLINE, 100]);
  await own.startWorker();
  await until(async () => (await counted(delivered)) === MOST_INLINE + 100, 'every delivery is created');
  await own.close();
});
