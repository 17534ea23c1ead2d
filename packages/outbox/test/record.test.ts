import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventsAsJson, record, setContext, type OutboxEvent } from '../src/index.js';
import { createTestDatabase, inTransaction, recordedEvents, type TestDatabase } from './support/test-database.js';

const created: OutboxEvent = { type: 'order_created.v0', resourceId: 'order-1', object: { total: 1200 } };

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => database.pool.query('truncate waybill_outbox.events'));
afterAll(() => database.close());

describe('record', () => {
  it('records what POST /events takes', async () => {
    await record(database.pool, {
      ...created,
      changes: { before: { total: 1 }, after: { total: 1200 } },
      principal: { id: 'user-7', subject: 'Ada' },
      request: { id: 'r-1', ip: '203.0.113.9', userAgent: 'curl/8' },
      occurredAt: new Date(),
    });
    expect(await recordedEvents(database.pool)).toEqual([
      {
        type: 'order_created.v0',
        resource_id: 'order-1',
        object: { total: 1200 },
        changes: { before: { total: 1 }, after: { total: 1200 } },
        principal: { id: 'user-7', subject: 'Ada' },
        request: { id: 'r-1', ip: '203.0.113.9', user_agent: 'curl/8' },
      },
    ]);
  });

  it('records the id of a principal that is a number as text, also from the context', async () => {
    await record(database.pool, { ...created, principal: { id: 7 } });
    await inTransaction(database.pool, async (client) => {
      await setContext(client, { principal: { id: 8n, subject: 'Ada' } });
      await record(client, created);
      await client.query(`select set_config('waybill.principal', '{"id": 9}', true)`);
      await record(client, created);
    });
    expect((await recordedEvents(database.pool)).map(({ principal }) => principal)).toEqual([
      { id: '7' },
      { id: '8', subject: 'Ada' },
      { id: '9' },
    ]);
  });

  it('fills the columns that the relay reads', async () => {
    const before = await database.pool.query<{ now: Date }>('select clock_timestamp() as now');
    await inTransaction(database.pool, async (client) => {
      await client.query("set local timezone = 'Asia/Kolkata'");
      await record(client, created);
      const { rows } = await client.query<
        Record<string, unknown> & { recorded_at: Date; event: { occurred_at: string } }
      >('select * from waybill_outbox.events');
      expect(rows[0]).toMatchObject({ type: created.type, resource_id: created.resourceId, resource_group: 'order' });
      expect(rows[0]?.event_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(rows[0]?.event.occurred_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      const occurred = new Date(rows[0]?.event.occurred_at ?? '');
      expect(occurred.getTime()).toBeGreaterThanOrEqual(before.rows[0]?.now.getTime() ?? Infinity);
      expect(rows[0]?.recorded_at.getTime()).toBeGreaterThanOrEqual(occurred.getTime());
    });
  });

  it('records a list in its order, with a function as well', async () => {
    const list = Array.from({ length: 300 }, (_, index) => ({ ...created, resourceId: `order-${index}` }));
    await record((text, values) => database.pool.query(text, values), list);
    await record(database.pool, []);
    expect((await recordedEvents(database.pool)).map(({ resource_id: id }) => id)).toEqual(
      list.map(({ resourceId }) => resourceId),
    );
  });

  it('records nothing of what rolls back: a transaction, a savepoint', async () => {
    const failed = inTransaction(database.pool, async (client) => {
      await record(client, created);
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    await inTransaction(database.pool, async (client) => {
      await record(client, { ...created, resourceId: 'kept' });
      await client.query('savepoint inner_one');
      await record(client, { ...created, resourceId: 'undone' });
      await client.query('rollback to savepoint inner_one');
    });
    expect((await recordedEvents(database.pool)).map(({ resource_id: id }) => id)).toEqual(['kept']);
  });

  it('notifies at the commit, and not where the setting turns it off', async () => {
    const client = await database.pool.connect();
    const notified: string[] = [];
    client.on('notification', ({ channel }) => notified.push(channel));
    await client.query('listen waybill_outbox');
    await client.query('begin');
    await record(client, [created, created]);
    await record(client, created);
    expect(notified).toEqual([]);
    await client.query('commit');
    await client.query('select 1');
    expect(notified).toEqual(['waybill_outbox']);
    await client.query("set waybill.notify = 'off'");
    await record(client, created);
    await client.query('select 1');
    expect(notified).toEqual(['waybill_outbox']);
    client.release(true);
  });

  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;

  it.each<[string, Partial<OutboxEvent>, string]>([
    ['NaN', { object: { a: [1, NaN] } }, '/object/a/1 is not a finite number'],
    ['infinity', { object: { a: Infinity } }, '/object/a is not a finite number'],
    ['a large whole number', { object: { 'a/b': 2 ** 53 } }, '/object/a~1b is a whole number that JSON parsers round'],
    ['a bigint', { object: { a: 1n } }, '/object/a is a bigint'],
    ['a Map', { object: { a: new Map() } }, '/object/a is a Map or a Set'],
    ['binary data', { object: { a: Buffer.from('x') } }, '/object/a is binary data'],
    ['an invalid date', { occurredAt: new Date('x') }, '/occurred_at is an invalid date'],
    ['a NUL', { object: { a: 'x\0' } }, '/object/a has a NUL character'],
    ['half a surrogate pair', { resourceId: '\ud800' }, '/resource_id has a NUL character or half a surrogate pair'],
    ['a name with a NUL', { object: { 'a\0': 1 } }, '/object has a member whose name cannot be stored'],
    ['a reserved name', { object: JSON.parse('{"__proto__": 1}') as Record<string, unknown> }, '/object/__proto__'],
    ['a cycle', { object: cyclic }, 'is nested deeper than 24 levels'],
  ])('refuses %s, and the transaction with it', async (_, part, message) => {
    await inTransaction(database.pool, async (client) => {
      const recorded = record(client, [created, { ...created, ...part }]);
      await expect(recorded).rejects.toMatchObject({ name: 'InvalidEventError', index: 1 });
      await expect(recorded).rejects.toThrow(message);
      await expect(client.query('select 1')).rejects.toThrow('current transaction is aborted');
    });
    expect(await recordedEvents(database.pool)).toEqual([]);
  });

  it('refuses what JSON cannot be at all with the error of the database', async () => {
    // As JavaScript calls it.
    const none = { type: created.type, object: created.object } as OutboxEvent;
    await expect(record(database.pool, none)).rejects.toThrow('Event 0 was not recorded: /resource_id must be text');
  });
});

describe('eventsAsJson', () => {
  it('writes what JSON.stringify writes', () => {
    const object = {
      date: new Date(0),
      absent: undefined,
      list: [undefined, null, true, -0.5],
      method: () => 1,
      text: 'é😀',
      nested: { toJSON: () => ({ a: 1 }) },
    };
    const [body] = JSON.parse(eventsAsJson({ ...created, object })) as { object: unknown }[];
    expect(body?.object).toEqual(JSON.parse(JSON.stringify(object)));
  });
});
