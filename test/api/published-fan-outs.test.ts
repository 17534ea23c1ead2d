import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { until } from '../../tools/harness/until.js';
import { someoneWaitsForFence } from '../support/fence-locks.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };
/** The most deliveries that the transaction of a batch creates. */
const MOST_INLINE = 5_000;

/** A batch whose statement has begun, and waits for another transaction with the same id of a publisher. */
async function openBatch(type: string): Promise<{ commit(): Promise<void> }> {
  const other = await api.store.pool.connect();
  // Ends its transaction, also where the test fails before.
  onTestFinished(() => other.release(true));
  await other.query('begin');
  await other.query(
    `insert into publisher_ids (account_id, publisher_id, event_id, hash) values ($1, 'held', 'evt_other', '')`,
    [api.accountId],
  );
  const published = api.admin.post('/events', { events: [{ id: 'held', type, resource_id: 'held', object: {} }] });
  await until(async () => {
    const { rows } = await api.store.pool.query(
      `select from pg_locks where locktype = 'transactionid' and not granted
       and pg_backend_pid() <> pid and $1 = any(pg_blocking_pids(pid))`,
      [(await other.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid],
    );
    return rows.length > 0;
  }, 'the batch waits for the other one');
  return {
    commit: async () => {
      await other.query('rollback');
      expect((await published).status).toBe(202);
    },
  };
}

it('a new subscription waits for a batch whose fan-out has not seen it', async () => {
  await api.admin.create('/resource_types', { name: 'fenced' });
  const type = 'fenced_created.v0';
  const { id } = await api.admin.create('/event_destinations', { target });
  const open = await openBatch(type);
  let answered = false;
  const answer = api.admin
    .post('/event_subscriptions', { sources: [{ type }], destination_ids: [id] })
    .finally(() => (answered = true));
  await until(() => someoneWaitsForFence(api.store), 'the subscription waits for the fence');
  expect([answered, (await api.admin.get(`/events?type=${type}`)).body.events]).toEqual([false, []]);
  await open.commit();
  expect((await answer).status).toBe(201);
  expect((await api.admin.get(`/events?type=${type}`)).body.events).toHaveLength(1);
});

it('a batch with more than 5,000 deliveries is accepted at once, and a worker creates them in order', async () => {
  const count = async (table: 'all_deliveries' | 'fan_out_parts') => {
    const { rows } = await api.store.pool.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    return rows[0]?.count ?? 0;
  };
  await api.admin.create('/resource_types', { name: 'wide' });
  const type = 'wide_updated.v0';
  const { id } = await api.admin.create('/event_destinations', { target });
  await api.admin.create('/event_subscriptions', { sources: [{ type }], destination_ids: [id] });
  const destinations = MOST_INLINE / 2;
  await api.store.pool.query(
    `with made as (
       insert into resources (id, account_id, kind, attributes, created_at, updated_at)
       select 'ed_many' || n, $1, 'event_destination', '{}', now(), now() from generate_series(2, $2::int) n returning id
     )
     insert into event_routes (account_id, event_type, destination_id, subscription_id)
     select $1, $3, id, (select min(id) from resources where account_id = $1) from made`,
    [api.accountId, destinations, type],
  );
  const before = await count('all_deliveries');
  const publish = async (...numbers: readonly number[]) => {
    const events = numbers.map((number) => ({ type, resource_id: 'r', object: { number } }));
    const { status, body } = await api.admin.post('/events', { events });
    expect(status).toBe(202);
    return (body.events as { event_id: string }[]).map(({ event_id: eventId }) => eventId);
  };
  await publish(1, 2);
  expect([(await count('all_deliveries')) - before, await count('fan_out_parts')]).toEqual([MOST_INLINE, 0]);

  const large = await publish(3, 4, 5);
  // A small one of the same resource does not pass the large one.
  const last = await publish(6);
  expect((await count('all_deliveries')) - before).toBe(MOST_INLINE);
  expect(await count('fan_out_parts')).toBe(2 * 4);

  await api.startWorker();
  await until(async () => (await count('all_deliveries')) - before === 6 * destinations, 'every delivery is created');
  expect(await count('fan_out_parts')).toBe(0);
  const { rows } = await api.store.pool.query<{ event_id: string }>(
    'select event_id from all_deliveries where destination_id = $1 order by id',
    [id],
  );
  expect(rows.map(({ event_id: eventId }) => eventId).slice(2)).toEqual([...large, ...last]);
});
