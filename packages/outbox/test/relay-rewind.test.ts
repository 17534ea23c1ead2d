import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { record, rejectedEvents } from '../src/index.js';
import { orderEvent, revisionsOf, startTestRelay, until, type TestRelay } from './support/relay-fixture.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { problem, startWaybillStub, type WaybillStub } from './support/waybill-stub.js';

let database: TestDatabase;
let waybill: WaybillStub;
let relay: TestRelay | null = null;
beforeEach(async () => {
  database = await createTestDatabase();
  waybill = await startWaybillStub();
});
afterEach(async () => {
  await relay?.stop();
  relay = null;
  await waybill.close();
  await database.close();
});

const refused = problem(400, 'invalid_input', { errors: [{ pointer: '/events/0/object', detail: 'refused' }] });

/** Rejects "a 1", which holds "a 2", and moves the floor beyond them. */
async function rejectFirst(): Promise<string> {
  await record(database.pool, [orderEvent('a', 1), orderEvent('a', 2)]);
  waybill.answer((batch) => (batch[0]?.object['revision'] === 1 && batch[0]?.resource_id === 'a' ? refused : 'accept'));
  relay = startTestRelay(database.pool, waybill.url);
  await relay.drained();
  for (let n = 1; n <= 5; n += 1) {
    await record(database.pool, orderEvent('b', n));
    await relay.drained();
  }
  const { rows } = await database.pool.query<{ event_id: string }>('select event_id from waybill_outbox.rejected');
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

describe('a retry', () => {
  it.each(['read committed', 'repeatable read', 'serializable'])(
    'releases what the relay holds meanwhile, where the default of the database is %s',
    async (level) => {
      await database.pool.query(`do $$ begin
        execute format('alter database %I set default_transaction_isolation = %L', current_database(), '${level}');
      end $$`);
      await rejectFirst();
      waybill.answer(() => 'accept');
      const pool = new pg.Pool({ connectionString: database.url });
      const relayAtWork = await database.pool.connect();
      try {
        // As the relay does it: lock the rejected event, mark a later one.
        await relayAtWork.query('begin isolation level read committed');
        await relayAtWork.query('select from waybill_outbox.rejected for key share');
        const retried = rejectedEvents(pool).retry(null);
        await until(async () => {
          const { rowCount } = await database.pool.query('select from pg_locks where not granted');
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
});
