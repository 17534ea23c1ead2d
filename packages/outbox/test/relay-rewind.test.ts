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
