import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { record, rejectedEvents } from '../src/index.js';
import {
  countOf,
  orderEvent,
  outOfOrder,
  revisionsOf,
  startTestRelay,
  until,
  type TestRelay,
} from './support/relay-fixture.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { problem, startWaybillStub, type WaybillStub } from './support/waybill-stub.js';

let database: TestDatabase;
let waybill: WaybillStub;
let relay: TestRelay | null = null;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  waybill = await startWaybillStub();
});
afterEach(async () => {
  await relay?.stop();
  relay = null;
  await waybill.close();
  await database.clear();
});
afterAll(() => database.close());

const refused = problem(400, 'invalid_input', { errors: [{ pointer: '/events/0/object', detail: 'refused' }] });

/** Rejects "a 1", which holds "a 2", and moves the floor beyond them. */
async function rejectFirst({ pool } = database): Promise<string> {
  await record(pool, [orderEvent('a', 1), orderEvent('a', 2)]);
  waybill.answer((batch) => (batch[0]?.object['revision'] === 1 && batch[0]?.resource_id === 'a' ? refused : 'accept'));
  relay = startTestRelay(pool, waybill.url);
  await relay.drained();
  for (let n = 1; n <= 5; n += 1) {
    await record(pool, orderEvent('b', n));
    await relay.drained();
  }
  const { rows } = await pool.query<{ event_id: string }>('select event_id from waybill_outbox.rejected');
  return String(rows[0]?.event_id);
}

describe('events that come back while the relay is busy', () => {
  it.each(['retry', 'discard'] as const)('precede later events of their resource: %s', async (action) => {
    const eventId = await rejectFirst();
    // The relay waits between two attempts while the application and the operator are at work.
    const requests = waybill.batches.length;
    waybill.answer((_, request) =>
      request === requests + 1 ? { status: 503, headers: { 'retry-after': '1' } } : 'accept',
    );
    await record(database.pool, orderEvent('b', 6));
    await until(() => waybill.batches.length > requests, 'a request is in flight');
    await record(database.pool, orderEvent('a', 3));
    await rejectedEvents(database.pool)[action]([eventId]);
    await relay?.drained();
    const published = revisionsOf(waybill.stored).filter((name) => name.startsWith('a '));
    expect(published).toEqual(action === 'retry' ? ['a 1', 'a 2', 'a 3'] : ['a 2', 'a 3']);
  });
});

describe('a repair', () => {
  const edited = JSON.stringify({
    type: 'order_created.v1',
    resource_id: 'a',
    object: { revision: 1, total: 9 },
  });
  const edit = { by: 'ada@example.com', reason: 'the total was missing' };

  it.each([
    ['without a time', edited],
    ['whose time is null', JSON.stringify({ ...(JSON.parse(edited) as object), occurred_at: null })],
  ])('publishes the edited event in the place of the rejected one, and keeps the original: %s', async (_, event) => {
    const eventId = await rejectFirst();
    waybill.answer(() => 'accept');
    const original = JSON.parse((await rejectedEvents(database.pool).event(eventId)) ?? '{}') as object;
    expect(await rejectedEvents(database.pool).repair(eventId, event, edit)).toBe(true);
    await relay?.drained();
    const [first, second] = waybill.stored.filter(({ resource_id: id }) => id === 'a');
    const repaired = { ...edit, at: expect.stringMatching(/^\d{4}-.*Z$/) as string };
    expect(first).toMatchObject({ id: eventId, type: 'order_created.v1', object: { revision: 1, total: 9 }, repaired });
    expect(first).toHaveProperty('occurred_at', Object(original)['occurred_at']);
    expect(second).toMatchObject({ object: { revision: 2 } });
    expect(second).not.toHaveProperty('repaired');
    const { rows } = await database.pool.query('select event_id, original, event from waybill_outbox.repairs');
    expect(rows).toEqual([{ event_id: eventId, original, event: expect.objectContaining({ repaired }) as object }]);
    expect(await rejectedEvents(database.pool).repair(eventId, edited, edit)).toBe(false);
  });

  it('refuses another resource or type, and what Waybill would refuse, and changes nothing', async () => {
    const eventId = await rejectFirst();
    for (const [members, message] of [
      [{ resource_id: 'b' }, '/resource_id must stay the same'],
      [{ type: 'invoice_created.v0' }, '/type must keep its first word'],
      [{ type: 'order_snapshot.v0' }, 'must have another action'],
      [{ id: '1' }, '/id is not a member of an event'],
    ] as const) {
      const event = JSON.stringify({ ...(JSON.parse(edited) as object), ...members });
      await expect(rejectedEvents(database.pool).repair(eventId, event, edit)).rejects.toThrow(message);
    }
    await expect(rejectedEvents(database.pool).repair(eventId, edited, { ...edit, by: '' })).rejects.toThrow(
      '"by" must',
    );
    await expect(rejectedEvents(database.pool).repair(eventId, 'null', edit)).rejects.toThrow('must be an object');
    expect([await countOf(database.pool, 'rejected'), await countOf(database.pool, 'events', 'held')]).toEqual([1, 1]);
  });

  it('that dies before its commit leaves everything as it was', async () => {
    const eventId = await rejectFirst();
    const relayAtWork = await database.pool.connect();
    try {
      await relayAtWork.query('begin');
      await relayAtWork.query('lock table waybill_outbox.relay in share mode');
      const repair = rejectedEvents(database.pool).repair(eventId, edited, edit);
      const died = repair.catch((error: unknown) => String(error));
      // All but its last statement is done.
      await until(async () => {
        const { rowCount } = await database.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where pid in (select pid from pg_locks where not granted and relation = 'waybill_outbox.relay'::regclass)
             and query like '%rewound%'`,
        );
        return rowCount !== 0;
      }, 'the repair waits for the lock');
      expect(await died).toContain('terminating connection');
    } finally {
      await relayAtWork.query('rollback');
      relayAtWork.release();
    }
    const { rows } = await database.pool.query('select from waybill_outbox.repairs');
    expect(rows).toHaveLength(0);
    expect([await countOf(database.pool, 'rejected'), await countOf(database.pool, 'events', 'held')]).toEqual([1, 1]);
    expect(await rejectedEvents(database.pool).repair(eventId, edited, edit)).toBe(true);
    waybill.answer(() => 'accept');
    await relay?.drained();
    expect(revisionsOf(waybill.stored).filter((name) => name.startsWith('a '))).toEqual(['a 1', 'a 2']);
  });
});

describe('a retry', () => {
  it.each(['read committed', 'repeatable read', 'serializable'])(
    'releases what the relay holds meanwhile, where the default of the database is %s',
    async (level) => {
      const altered = await createTestDatabase();
      onTestFinished(() => altered.close());
      await altered.pool.query(`do $$ begin
        execute format('alter database %I set default_transaction_isolation = %L', current_database(), '${level}');
      end $$`);
      await rejectFirst(altered);
      waybill.answer(() => 'accept');
      const pool = new pg.Pool({ connectionString: altered.url });
      const relayAtWork = await altered.pool.connect();
      try {
        // As the relay does it: lock the rejected event, mark a later one.
        await relayAtWork.query('begin isolation level read committed');
        await relayAtWork.query('select from waybill_outbox.rejected for key share');
        const retried = rejectedEvents(pool).retry(null);
        await until(async () => {
          const { rowCount } = await altered.pool.query('select from pg_locks where not granted');
          return rowCount !== 0;
        }, 'the retry waits for the lock');
        await relayAtWork.query('insert into waybill_outbox.events (event, held) values ($1, true)', [
          { type: 'order_updated.v0', resource_id: 'a', object: { revision: 3 } },
        ]);
        await relayAtWork.query('commit');
        expect(await retried).toBe(1);
      } finally {
        relayAtWork.release();
        await pool.end();
      }
      await relay?.drained();
      const published = revisionsOf(waybill.stored).filter((name) => name.startsWith('a '));
      expect(published).toEqual(['a 1', 'a 2', 'a 3']);
    },
  );

  it('of many events takes several transactions, and keeps the order between them', async () => {
    // Each of 600 resources has two rejected events, and one that waits. The first part has 400 of the second ones.
    await database.pool.query(`
      with event as (
        select r, n, jsonb_build_object('type', 'order_updated.v0', 'resource_id', 'r' || r,
          'object', jsonb_build_object('revision', n)) as body
        from generate_series(1, 600) as r, generate_series(1, 3) as n
      ), rejected as (
        insert into waybill_outbox.rejected (event_id, position, recorded_at, event, reason, holds)
        select gen_random_uuid(), 600 * (n - 1) + r, now(), body, 'refused', true from event where n < 3
      )
      insert into waybill_outbox.events (position, event, held)
      select 600 * (n - 1) + r, body, true from event where n = 3`);
    const pool = new pg.Pool({ connectionString: database.url });
    const other = await database.pool.connect();
    try {
      await other.query('begin');
      await other.query('select from waybill_outbox.rejected where position = 1200 for key share');
      const retried = rejectedEvents(pool).retry(null);
      await until(async () => {
        const { rowCount } = await database.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rowCount !== 0;
      }, 'the retry waits for the lock');
      expect(await countOf(database.pool, 'rejected')).toBe(200);
      relay = startTestRelay(database.pool, waybill.url);
      await relay.drained();
      expect(waybill.stored).toHaveLength(1_400);
      expect(await countOf(database.pool, 'events', 'held')).toBe(200);
      await other.query('commit');
      expect(await retried).toBe(1_200);
    } finally {
      other.release(true);
      await pool.end();
    }
    await relay.drained();
    expect(waybill.stored).toHaveLength(1_800);
    expect(outOfOrder(waybill.stored)).toEqual([]);
  });
});
