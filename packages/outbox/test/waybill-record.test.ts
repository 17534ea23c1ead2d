import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, inTransaction, recordedEvents, type TestDatabase } from './support/test-database.js';

const valid = { type: 'order_created.v0', resource_id: 'order-1', object: { total: 1200 } };

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => database.pool.query('truncate waybill_outbox.events'));
afterAll(() => database.close());

async function recordSql(events: unknown): Promise<string[]> {
  const text = typeof events === 'string' ? events : JSON.stringify(events);
  const { rows } = await database.pool.query<{ ids: string[] }>(
    'select waybill_outbox.waybill_record($1::text::jsonb)::text[] as ids',
    [text],
  );
  return rows[0]?.ids ?? [];
}

/** Nested objects, the outermost counted. */
function nested(levels: number): unknown {
  return levels === 1 ? {} : { a: nested(levels - 1) };
}

/** An object of exactly so many bytes of compact JSON. */
function sized(bytes: number): unknown {
  const empty = { a: '', b: [1, 2, { 'c, "d': ': ,\\' }] };
  return { ...empty, a: 'x'.repeat(bytes - JSON.stringify(empty).length) };
}

/** An event of exactly so many bytes of compact JSON, with its time. */
function sizedEvent(type: string, bytes: number): unknown {
  const event = { type, resource_id: 'r', occurred_at: new Date().toISOString(), object: {} };
  return { ...event, object: sized(bytes - JSON.stringify(event).length + 2) };
}

describe('waybill_record', () => {
  it('takes one event or a list, and returns the ids in order', async () => {
    const one = await recordSql(valid);
    const two = await recordSql([valid, { ...valid, changes: null, principal: null, request: null }]);
    const { rows } = await database.pool.query<{ id: string }>(
      'select event_id as id from waybill_outbox.events order by position',
    );
    expect(rows.map(({ id }) => id)).toEqual([...one, ...two]);
    expect(await recordSql([])).toEqual([]);
  });

  it('is found through the search path, and works with any search path', async () => {
    await inTransaction(database.pool, async (client) => {
      await client.query('set local search_path = waybill_outbox');
      await client.query('select waybill_record($1::jsonb)', [JSON.stringify(valid)]);
    });
    expect(await recordedEvents(database.pool)).toHaveLength(1);
  });

  it('takes who and from where from the settings of the transaction', async () => {
    await inTransaction(database.pool, async (client) => {
      await client.query("select set_config('waybill.principal', $1, true), set_config('waybill.request', $2, true)", [
        JSON.stringify({ id: 'user-7', subject: 'Ada' }),
        JSON.stringify({ id: 'r-1' }),
      ]);
      await client.query('select waybill_outbox.waybill_record($1::jsonb)', [
        JSON.stringify([valid, { ...valid, principal: { id: 'other' }, request: null }]),
      ]);
    });
    expect(await recordedEvents(database.pool)).toMatchObject([
      { principal: { id: 'user-7', subject: 'Ada' }, request: { id: 'r-1' } },
      { principal: { id: 'other' }, request: null },
    ]);
  });

  it('forgets the settings with the transaction', async () => {
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query(`select set_config('waybill.principal', '{"id": "user-7"}', true)`);
    await client.query('commit');
    await client.query('select waybill_outbox.waybill_record($1::jsonb)', [JSON.stringify(valid)]);
    client.release();
    expect(await recordedEvents(database.pool)).toEqual([valid]);
  });

  it('cuts what the clients of the API choose, so that no header fails a change', async () => {
    const long = '😀'.repeat(1_000);
    await recordSql({
      ...valid,
      principal: { id: 'user-7', subject: long },
      request: { id: long, ip: long, user_agent: long },
    });
    const [event] = await recordedEvents(database.pool);
    const text = (characters: number): string => '😀'.repeat(characters);
    expect(event).toMatchObject({
      principal: { id: 'user-7', subject: text(255) },
      request: { id: text(255), ip: text(100), user_agent: text(256) },
    });
  });

  it.each<[string, unknown]>([
    ['24 levels', { ...valid, object: nested(24) }],
    ['the largest exact number', { ...valid, object: { a: Number.MAX_SAFE_INTEGER, b: -Number.MAX_SAFE_INTEGER } }],
    ['255 characters of an id', { ...valid, resource_id: '😀'.repeat(255) }],
    ['names that look like syntax', { ...valid, object: { '"': 1, '$.a': 2, "'": 3, '': 4 } }],
    ['a namespace', { ...valid, type: 'my_shop.user_created.v0' }],
    ['the largest event', sizedEvent('order_created.v0', 54_784)],
    ['the largest deletion', sizedEvent('order_deleted.v0', 62_976)],
    ['changes beyond the limit of an event', { ...valid, changes: { before: sized(65_536), after: sized(65_536) } }],
    ['another time zone', { ...valid, occurred_at: new Date().toISOString().replace('Z', '+00:00') }],
  ])('accepts %s', async (_, event) => {
    expect(await recordSql(event)).toHaveLength(1);
  });

  it.each<[string, unknown, string]>([
    ['null', 'null', 'it must be an object'],
    ['text', '"text"', 'it must be an object'],
    ['an id', { ...valid, id: '1' }, '/id is not a member of an event'],
    ['no type', { ...valid, type: undefined }, '/type must be'],
    ['a type without an action', { ...valid, type: 'order.v0' }, '/type must be'],
    ['a type without a version', { ...valid, type: 'order_created' }, '/type must be'],
    ['a type with a line break', { ...valid, type: 'order_created.v0\n' }, '/type must be'],
    ['a type in capitals', { ...valid, type: 'Order_created.v0' }, '/type must be'],
    ['a long type', { ...valid, type: `order_${'a'.repeat(110)}.v0` }, '/type must be'],
    ['a type of Waybill', { ...valid, type: 'user_created.v0' }, 'namespace before it, such as app.user_created.v0'],
    ['an action of Waybill', { ...valid, type: 'order_snapshot.v0' }, 'snapshot is an action of Waybill'],
    ['two namespaces', { ...valid, type: 'a.b.user_created.v0' }, '/type must be'],
    ['an empty id of the resource', { ...valid, resource_id: '' }, '/resource_id must be text of 1 to 255 characters'],
    ['a long id of the resource', { ...valid, resource_id: 'x'.repeat(256) }, '/resource_id must be text'],
    ['a number as id of the resource', { ...valid, resource_id: 5 }, '/resource_id must be text'],
    ['no object', { ...valid, object: undefined }, '/object must be an object'],
    ['a list as object', { ...valid, object: [] }, '/object must be an object'],
    ['25 levels', { ...valid, object: nested(25) }, '/object is nested deeper than 24 levels'],
    [
      'an inexact number',
      '{"type": "order_created.v0", "resource_id": "1", "object": {"a": [{"b": 9007199254740993}]}}',
      '/object has the number 9007199254740993, which JSON parsers round: record it as text',
    ],
    [
      'a number beyond floating point',
      '{"type": "order_created.v0", "resource_id": "1", "object": {"a": -1e400}}',
      '/object has the number -1000',
    ],
    [
      'a reserved name',
      `{"type": "order_created.v0", "resource_id": "1", "object": {"a": [{"__proto__": 1}]}}`,
      '__proto__',
    ],
    ['half of the changes', { ...valid, changes: { before: {} } }, '/changes/after must be an object'],
    ['other changes', { ...valid, changes: { before: {}, after: {}, x: 1 } }, '/changes must be an object with'],
    [
      'large changes',
      { ...valid, changes: { before: {}, after: sized(65_537) } },
      '/changes/after has more than 65536',
    ],
    ['a principal without id', { ...valid, principal: { subject: 'Ada' } }, '/principal/id must be text'],
    ['a principal with other members', { ...valid, principal: { id: '1', role: 'x' } }, '/principal must be'],
    ['the principal of Waybill itself', { ...valid, principal: { id: 'system' } }, '/principal must have another id'],
    ['the principal of nobody', { ...valid, principal: { id: 'unknown' } }, '/principal must have another id'],
    ['a name that reads as it', { ...valid, principal: { id: 'ＳＹＳ\u200bTEM' } }, '/principal must have another id'],
    [
      'a subject that reads as it',
      { ...valid, principal: { id: '1', subject: ' System\u{e0041}: x' } },
      '/principal must',
    ],
    ['its subject', { ...valid, principal: { id: '1', subject: 'system:operator' } }, '/principal must have another'],
    ['its subject as id', { ...valid, principal: { id: 'system:operator' } }, '/principal must have another id'],
    ['a number as subject', { ...valid, principal: { id: '1', subject: 2 } }, '/principal/subject must be text'],
    ['a request with other members', { ...valid, request: { host: 'x' } }, '/request must be an object with'],
    ['a number in the request', { ...valid, request: { ip: 5 } }, '/request must have text'],
    [
      'a time without a zone',
      { ...valid, occurred_at: '2026-01-31T12:00:00' },
      '/occurred_at must be an RFC 3339 time',
    ],
    ['a time far ahead', { ...valid, occurred_at: '2999-01-31T12:00:00Z' }, '/occurred_at must not be more than'],
    ['a time long ago', { ...valid, occurred_at: '1970-01-01T00:00:00Z' }, '/occurred_at must not be more than'],
    ['an event that is too large', sizedEvent('order_created.v0', 54_785), 'it has more than 54784 bytes of JSON'],
    ['a deletion that is too large', sizedEvent('order_deleted.v0', 62_977), 'it has more than 54784 bytes of JSON'],
    ['a huge event', { ...valid, object: sized(1_000_000) }, 'it has more than 54784 bytes of JSON'],
  ])('refuses %s, and records nothing', async (_, event, message) => {
    const list = typeof event === 'string' ? `[${JSON.stringify(valid)}, ${event}]` : [valid, event];
    const recorded = recordSql(list);
    await expect(recorded).rejects.toThrow(message);
    await expect(recorded).rejects.toThrow('Event 1 was not recorded: ');
    expect(await recordedEvents(database.pool)).toEqual([]);
  });

  it('refuses a setting that is no JSON with the name of the setting', async () => {
    const recorded = inTransaction(database.pool, async (client) => {
      await client.query("set local waybill.principal = 'user-7'");
      await client.query('select waybill_outbox.waybill_record($1::jsonb)', [JSON.stringify(valid)]);
    });
    await expect(recorded).rejects.toThrow('The setting waybill.principal is not JSON.');
  });

  it('refuses NULL', async () => {
    await expect(database.pool.query('select waybill_outbox.waybill_record(null)')).rejects.toThrow(
      'must be an object',
    );
  });
});

describe('the table of events', () => {
  it.each<[string, unknown, string]>([
    ['no type', {}, 'event_has_type'],
    ['another type', { ...valid, type: 'x' }, 'event_has_type'],
    ['no id of the resource', { ...valid, resource_id: '' }, 'event_has_resource_id'],
    ['a number as id', { ...valid, resource_id: 5 }, 'event_has_resource_id'],
    ['no object', { ...valid, object: null }, 'event_has_object'],
    ['a huge object', { ...valid, object: sized(600_000) }, 'event_is_small'],
  ])('refuses %s that an INSERT gives it', async (_, event, constraint) => {
    const inserted = database.pool.query('insert into waybill_outbox.events (event) values ($1)', [event]);
    await expect(inserted).rejects.toThrow(new RegExp(`${constraint}|null value in column "type"`));
  });
});

describe('rights', () => {
  it('needs the documented grants and no more', async () => {
    const role = `outbox_app_${Date.now()}`;
    await database.pool.query(`create role ${role}`);
    await database.pool.query(`
      grant usage on schema waybill_outbox to ${role};
      grant insert (event_id, event) on waybill_outbox.events to ${role};`);
    await inTransaction(database.pool, async (client) => {
      await client.query(`set local role ${role}`);
      await client.query('select waybill_outbox.waybill_record($1::jsonb)', [JSON.stringify(valid)]);
      await client.query('savepoint refused');
      await expect(client.query('select * from waybill_outbox.events')).rejects.toThrow('permission denied');
      await client.query('rollback to savepoint refused');
      const forged = client.query("insert into waybill_outbox.events (event, position) values ('{}', 1)");
      await expect(forged).rejects.toThrow('permission denied');
      await client.query('rollback to savepoint refused');
    });
    expect(await recordedEvents(database.pool)).toEqual([valid]);
    await database.pool.query(`drop owned by ${role}; drop role ${role}`);
  });
});
