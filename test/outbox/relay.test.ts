import { record, rejectedEvents, type OutboxEvent, type RelayOptions } from '@waybill/outbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  countOf,
  orderEvent,
  recordAll,
  startTestRelay,
  type TestRelay,
} from '../../packages/outbox/test/support/relay-fixture.js';
import { createTestDatabase, type TestDatabase } from '../../packages/outbox/test/support/test-database.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

/** The relay against a real Waybill, whose account is that of one publisher. */
let api: TestApi;
let key: string;
let database: TestDatabase;
beforeAll(async () => {
  api = await startTestApi();
  database = await createTestDatabase();
  key = String((await api.admin.create('/api_keys', { role: 'publisher' })).token);
  await api.admin.create('/resource_types', {
    name: 'order',
    schema: {
      type: 'object',
      properties: { revision: { type: 'integer', minimum: 1 } },
      required: ['revision'],
    },
  });
  await api.admin.create('/resource_types', { name: 'order_line' });
});
afterAll(async () => {
  await api.close();
  await database.close();
});

let relay: TestRelay | null = null;
let run = 0;
beforeEach(() => {
  run += 1;
});
afterEach(async () => {
  await relay?.stop();
  relay = null;
  await database.clear();
});

const start = (options: Partial<RelayOptions> = {}) =>
  (relay = startTestRelay(database.pool, api.baseUrl, { key, ...options }));

/** An id of a resource of this test only. */
const own = (name: string | number) => `${run}-${name}`;

const good = (name: string | number, revision: number) => orderEvent(own(name), revision);
/** An event whose object violates the schema. */
const bad = (name: string | number, revision: number): OutboxEvent => ({
  ...good(name, revision),
  object: { revision: -revision },
});

/** Returns the events of this test that Waybill has stored: by resource, in the order of their acceptance. */
async function stored(): Promise<string[]> {
  const { rows } = await api.store.pool.query<{ resource_id: string; object: { revision: number } }>(
    `select resource_id, payload::jsonb -> 'object' as object from events where resource_id like $1
     order by length(resource_id), resource_id, (payload::jsonb ->> 'version')::int`,
    [`${run}-%`],
  );
  return rows.map(({ resource_id: id, object }) => `${id.slice(String(run).length + 1)} ${object.revision}`);
}

async function rejected() {
  const { rows } = await database.pool.query<{
    name: string;
    reason: string;
    status: number;
    error_code: string;
    holds: boolean;
  }>(
    `select resource_id || ' ' || (event #>> '{object,revision}') as name, reason, status, error_code, holds
     from waybill_outbox.rejected order by position`,
  );
  return rows.map((row) => ({ ...row, name: row.name.slice(String(run).length + 1) }));
}

/** Events of 100 resources, five of each; the chosen ones are invalid. */
function batchOf500(isBad: (resource: number, revision: number) => boolean): readonly OutboxEvent[] {
  return Array.from({ length: 500 }, (_, n) => {
    const [resource, revision] = [n % 100, Math.floor(n / 100) + 1];
    return isBad(resource, revision) ? bad(resource, revision) : good(resource, revision);
  });
}

describe('what Waybill refuses', () => {
  it('is one event of a batch of 500: only later events of its resource wait', async () => {
    await recordAll(
      database.pool,
      batchOf500((resource, revision) => resource === 7 && revision === 2),
    );
    await start().drained();
    expect(await rejected()).toEqual([
      {
        name: '7 -2',
        reason: '/object/revision: must be >= 1',
        status: 400,
        error_code: 'invalid_input',
        holds: true,
      },
    ]);
    const all = await stored();
    expect(all).toHaveLength(496);
    expect(all.filter((name) => name.startsWith('7 '))).toEqual(['7 1']);
    expect(await relay?.status()).toMatchObject({ waiting: 0, held: 3, rejected: 1, published: 496 });
  });

  it('is one event of a batch of 500: nothing waits with afterRejection "continue"', async () => {
    await recordAll(
      database.pool,
      batchOf500((resource, revision) => resource === 7 && revision === 2),
    );
    await start({ afterRejection: 'continue' }).drained();
    expect(await rejected()).toMatchObject([{ name: '7 -2', holds: false }]);
    expect((await stored()).filter((name) => name.startsWith('7 '))).toEqual(['7 1', '7 3', '7 4', '7 5']);
    expect(await relay?.status()).toMatchObject({ waiting: 0, held: 0, rejected: 1, published: 499 });
  });

  it('is several events of many resources', async () => {
    await recordAll(
      database.pool,
      batchOf500((resource, revision) => resource % 3 === 0 && revision >= 2),
    );
    await start().drained();
    expect((await rejected()).map(({ name }) => name)).toEqual(Array.from({ length: 34 }, (_, n) => `${n * 3} -2`));
    expect(await stored()).toHaveLength(66 * 5 + 34);
    expect(await countOf(database.pool, 'events', 'held')).toBe(34 * 3);
  });

  it('is every event', async () => {
    await recordAll(
      database.pool,
      batchOf500(() => true),
    );
    const { drained, status, stop } = start();
    await drained();
    expect(await stored()).toEqual([]);
    expect(await status()).toMatchObject({ waiting: 0, held: 400, rejected: 100, published: 0 });
    await stop();
    await start({ afterRejection: 'continue' }).drained();
    // What holds already stays so.
    expect(await status()).toMatchObject({ waiting: 0, held: 400, rejected: 100 });
  });

  it('is every event, with afterRejection "continue"', async () => {
    await recordAll(
      database.pool,
      batchOf500(() => true),
    );
    await start({ afterRejection: 'continue' }).drained();
    expect(await relay?.status()).toMatchObject({ waiting: 0, held: 0, rejected: 500, published: 0 });
  });

  it('is an event of an unknown type', async () => {
    await record(database.pool, [good(1, 1), { ...good(2, 1), type: 'invoice_created.v0' }, good(2, 2)]);
    await start().drained();
    expect(await stored()).toEqual(['1 1', '2 2']);
    expect(await rejected()).toMatchObject([
      { reason: expect.stringMatching(/^\/type: is not an event type/) as string, error_code: 'invalid_input' },
    ]);
  });

  it('is an event whose id was used for another one', async () => {
    await record(database.pool, [good(1, 1), good(2, 1)]);
    const { rows } = await database.pool.query<{ event_id: string }>('select event_id from waybill_outbox.events');
    const other = { id: rows[0]?.event_id, type: 'order_created.v0', resource_id: own(9), object: { revision: 1 } };
    expect((await api.client(key).post('/events', { events: [other] })).status).toBe(202);
    await start().drained();
    expect(await stored()).toEqual(['2 1', '9 1']);
    expect(await rejected()).toMatchObject([{ name: '1 1', status: 409, error_code: 'event_id_reused', holds: true }]);
  });

  it('is an event that is too large', async () => {
    const object = { revision: 2, text: 'x'.repeat(60_000) };
    await record(database.pool, [good(1, 1), good(2, 1)]);
    // Past the check of the outbox, as another version of Waybill might refuse more.
    await database.pool.query(`insert into waybill_outbox.events (event) values ($1)`, [
      { type: 'order_updated.v0', resource_id: own(1), object },
    ]);
    await record(database.pool, good(2, 2));
    await start().drained();
    expect(await stored()).toEqual(['1 1', '2 1', '2 2']);
    expect(await rejected()).toMatchObject([{ name: '1 2', status: 413, error_code: 'event_too_large' }]);
  });

  it.each([
    ['order_updated.v0', 54_784],
    ['order_deleted.v0', 62_976],
  ])('is no event that may be recorded, whatever its size: %s', async (type, bytes) => {
    const rest = {
      type,
      resource_id: own(1),
      principal: { id: '\u0001'.repeat(255) },
      occurred_at: new Date().toISOString(),
      object: { revision: 1, text: '' },
    };
    const text = 'x'.repeat(bytes - JSON.stringify(rest).length);
    const recorded = (more: string) =>
      database.pool.query('select waybill_outbox.waybill_record($1)', [
        JSON.stringify({ ...rest, object: { revision: 1, text: text + more } }),
      ]);
    await expect(recorded('x')).rejects.toThrow('it has more than 54784 bytes of JSON');
    await recorded('');
    await start().drained();
    expect(await rejected()).toEqual([]);
    expect(await stored()).toEqual(['1 1']);
  });

  it('is an event that Waybill cannot read: found without a pointer', async () => {
    let object: unknown = 1;
    for (let depth = 0; depth < 40; depth += 1) object = { deeper: object };
    await recordAll(
      database.pool,
      Array.from({ length: 60 }, (_, n) => good(n, 1)),
    );
    await database.pool.query(`insert into waybill_outbox.events (event) values ($1)`, [
      { type: 'order_updated.v0', resource_id: own(1), object: { revision: 2, object } },
    ]);
    await recordAll(
      database.pool,
      Array.from({ length: 60 }, (_, n) => good(n, 3)),
    );
    await start().drained();
    expect(await rejected()).toMatchObject([{ name: '1 2', status: 400, error_code: 'malformed_json' }]);
    expect(await stored()).toHaveLength(119);
  });
});

it('stores nothing twice after the restore of an older backup of the outbox', async () => {
  await record(database.pool, [good(1, 1), good(1, 2)]);
  await database.pool.query('create table backup as select position, event_id, event from waybill_outbox.events');
  await start().drained();
  await relay?.stop();
  await database.pool.query(`alter sequence waybill_outbox.events_position_seq restart;
    insert into waybill_outbox.events (event_id, event) select event_id, event from backup order by position`);
  await database.pool.query('drop table backup');
  await record(database.pool, good(1, 3));
  await start().drained();
  expect(await stored()).toEqual(['1 1', '1 2', '1 3']);
});

describe('a rejected event', () => {
  it('is published in order after a retry', async () => {
    await record(database.pool, [good(1, 1), { ...good(1, 2), type: 'order_shipped.v0' }, good(1, 3), good(2, 1)]);
    const { drained, status } = start();
    await drained();
    await record(database.pool, good(1, 4));
    await drained();
    expect(await stored()).toEqual(['1 1', '2 1']);
    const types = (await api.admin.get('/resource_types?limit=100')).body.resource_types as {
      id: string;
      name: string;
    }[];
    const order = types.find(({ name }) => name === 'order');
    const actions = ['created', 'updated', 'deleted', 'shipped'];
    const patched = await api.admin.patch(`/resource_types/${order?.id}`, { actions });
    expect(patched.status, patched.text).toBe(200);
    expect(await rejectedEvents(database.pool).retry(null)).toBe(1);
    await drained();
    expect(await stored()).toEqual(['1 1', '1 2', '1 3', '1 4', '2 1']);
    expect(await status()).toMatchObject({ waiting: 0, held: 0, rejected: 0 });
  });

  it('is refused again after a retry without a change', async () => {
    await record(database.pool, [bad(1, 1), good(1, 2), good(2, 1)]);
    const { drained, status } = start();
    await drained();
    const [event] = await eventIds();
    expect(await rejectedEvents(database.pool).retry([String(event)])).toBe(1);
    await drained();
    expect(await status()).toMatchObject({ waiting: 0, held: 1, rejected: 1, published: 1 });
  });

  it('releases the later events when it is discarded', async () => {
    await record(database.pool, [bad(1, 1), bad(1, 2), good(1, 3), good(2, 1)]);
    const { drained, status } = start();
    await drained();
    expect(await stored()).toEqual(['2 1']);
    expect(await rejectedEvents(database.pool).discard(await eventIds())).toBe(1);
    await drained();
    // The second one was never tried before.
    expect(await rejected()).toMatchObject([{ name: '1 -2', holds: true }]);
    expect(await rejectedEvents(database.pool).discard(await eventIds())).toBe(1);
    await drained();
    expect(await stored()).toEqual(['1 3', '2 1']);
    expect(await status()).toMatchObject({ waiting: 0, held: 0, rejected: 0, published: 2 });
  });

  async function eventIds(): Promise<string[]> {
    const { rows } = await database.pool.query<{ event_id: string }>('select event_id from waybill_outbox.rejected');
    return rows.map(({ event_id: id }) => id);
  }
});
