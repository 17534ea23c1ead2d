import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { triggerSql, type TriggerOptions } from '../src/index.js';
import { createTestDatabase, inTransaction, recordedEvents, type TestDatabase } from './support/test-database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => run('drop schema if exists shop cascade; create schema shop; truncate waybill_outbox.events'));

async function run(statements: string): Promise<void> {
  await database.pool.query(statements);
}

/** Creates the table `shop.orders` with its triggers. */
async function createOrders(columns: string, options: Partial<TriggerOptions> = {}): Promise<void> {
  await run(`create table shop.orders (${columns})`);
  await run(triggerSql({ table: 'shop.orders', type: 'order', ...options }));
}

const events = (): ReturnType<typeof recordedEvents> => recordedEvents(database.pool);

/** Returns the object of the only event. */
async function onlyObject(): Promise<unknown> {
  const list = await events();
  expect(list).toHaveLength(1);
  return list[0]?.['object'];
}

describe('a table with the trigger', () => {
  it('records insert, update and delete with plain SQL', async () => {
    await createOrders('id bigint primary key, total integer, note text');
    await run("insert into shop.orders values (1, 10, 'a'), (2, 20, null)");
    await run('update shop.orders set total = total + 1 where id = 2');
    await run('delete from shop.orders where id = 1');
    expect(await events()).toEqual([
      { type: 'order_created.v0', resource_id: '1', object: { id: 1, total: 10, note: 'a' } },
      { type: 'order_created.v0', resource_id: '2', object: { id: 2, total: 20, note: null } },
      {
        type: 'order_updated.v0',
        resource_id: '2',
        object: { id: 2, total: 21, note: null },
        changes: { before: { total: 20 }, after: { total: 21 } },
      },
      { type: 'order_deleted.v0', resource_id: '1', object: { id: 1, total: 10, note: 'a' } },
    ]);
  });

  it('records a type with a namespace and a version', async () => {
    await createOrders('id integer primary key', { type: 'shop.user', version: 12 });
    await run('insert into shop.orders values (1)');
    expect(await events()).toMatchObject([{ type: 'shop.user_created.v12' }]);
  });

  it.each(['deleted_at timestamptz', 'deleted_at boolean default false'])(
    'records soft deletes: %s',
    async (column) => {
      await createOrders(`id integer primary key, total integer, ${column}`, {
        softDelete: 'deleted_at',
        exclude: ['deleted_at'],
      });
      const mark = column.includes('boolean') ? 'true' : 'now()';
      await run('insert into shop.orders values (1, 10)');
      await run('update shop.orders set total = 11');
      await run(`update shop.orders set deleted_at = ${mark}, total = 12`);
      // A deleted row has no events: neither its changes, nor its deletion.
      await run('update shop.orders set total = 13');
      await run(`update shop.orders set deleted_at = ${mark}`);
      await run(`insert into shop.orders values (2, 20, ${mark}); delete from shop.orders where id = 2`);
      await run('update shop.orders set deleted_at = default');
      await run('delete from shop.orders');
      const [created, updated, deleted, ...more] = (await events()).map(({ type, resource_id: id, object }) => [
        type,
        id,
        (object as { total: number }).total,
      ]);
      expect(created).toEqual(['order_created.v0', '1', 10]);
      expect(updated).toEqual(['order_updated.v0', '1', 11]);
      expect(deleted).toEqual(['order_deleted.v0', '1', 12]);
      expect(more).toEqual([
        ['order_created.v0', '1', 13],
        ['order_deleted.v0', '1', 13],
      ]);
    },
  );

  it.each<Partial<TriggerOptions>>([{ exclude: ['named'] }, { text: ['named'] }, { softDelete: 'named' }])(
    'fails when a column of its options was renamed: %j',
    async (options) => {
      await createOrders('id integer primary key, named integer', options);
      await run('alter table shop.orders rename named to other');
      await expect(run('insert into shop.orders values (1, 2)')).rejects.toThrow(
        'The table has no column named, which',
      );
      expect(await events()).toEqual([]);
    },
  );

  it('records nothing of an update that changes nothing, or only excluded columns', async () => {
    await createOrders('id integer primary key, total numeric, password_hash text', { exclude: ['password_hash'] });
    await run("insert into shop.orders values (1, 10, 'secret')");
    await run("update shop.orders set total = total; update shop.orders set password_hash = 'other'");
    expect(await onlyObject()).toEqual({ id: 1, total: 10 });
    await run("update shop.orders set total = 11, password_hash = 'third'");
    expect(JSON.stringify(await events())).not.toMatch(/secret|other|third|hash/);
  });

  it('joins the values of a composite key, without two rows of one id', async () => {
    await createOrders('shop text, number text, primary key (shop, number)', { id: ['shop', 'number'] });
    await run("insert into shop.orders values ('a/b', 'c'), ('a', 'b/c'), ('a%2Fb', 'c'), ('a', 'b')");
    expect((await events()).map((event) => event['resource_id'])).toEqual(['a%2Fb/c', 'a/b%2Fc', 'a%252Fb/c', 'a/b']);
  });

  it('records a changed key as a deletion and a creation', async () => {
    await createOrders('id integer primary key, total integer');
    await run('insert into shop.orders values (1, 10)');
    await run('update shop.orders set id = 2, total = 11');
    expect((await events()).slice(1)).toEqual([
      { type: 'order_deleted.v0', resource_id: '1', object: { id: 1, total: 10 } },
      { type: 'order_created.v0', resource_id: '2', object: { id: 2, total: 11 } },
    ]);
  });

  it('refuses TRUNCATE, also through a cascade', async () => {
    await createOrders('id integer primary key');
    await run('create table shop.lines (order_id integer references shop.orders)');
    await run(triggerSql({ table: 'shop.lines', type: 'order_line', id: ['order_id'] }));
    await run('insert into shop.orders values (1)');
    const message = 'is refused: its rows would disappear without events.';
    await expect(run('truncate shop.orders cascade')).rejects.toThrow(`TRUNCATE of shop.orders ${message}`);
    await expect(run('truncate shop.lines')).rejects.toThrow(`TRUNCATE of shop.lines ${message}`);
    expect(await events()).toHaveLength(1);
  });

  it('records what a cascade deletes, after the row that caused it', async () => {
    await createOrders('id integer primary key');
    await run('create table shop.lines (id integer, order_id integer references shop.orders on delete cascade)');
    await run(triggerSql({ table: 'shop.lines', type: 'order_line' }));
    await run('insert into shop.orders values (1); insert into shop.lines values (5, 1); delete from shop.orders');
    expect((await events()).slice(2).map((event) => event['type'])).toEqual([
      'order_deleted.v0',
      'order_line_deleted.v0',
    ]);
  });

  it('precedes a trigger of the application that changes the row again', async () => {
    await createOrders('id integer primary key, total integer');
    await run(`
      create function shop.a_touch() returns trigger language plpgsql as
        $$ begin update shop.orders set total = total + 1 where id = new.id; return null; end $$;
      create trigger a_touch after insert on shop.orders for each row execute function shop.a_touch();
      insert into shop.orders values (1, 10);`);
    expect(await events()).toMatchObject([{ type: 'order_created.v0' }, { type: 'order_updated.v0' }]);
  });

  it('records nothing of what rolls back: a transaction, a savepoint', async () => {
    await createOrders('id integer primary key');
    const failed = inTransaction(database.pool, async (client) => {
      await client.query('insert into shop.orders values (1)');
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    await inTransaction(database.pool, async (client) => {
      await client.query('insert into shop.orders values (2)');
      await client.query('savepoint inner_one');
      await client.query('insert into shop.orders values (3)');
      await client.query('rollback to savepoint inner_one');
    });
    expect(await onlyObject()).toEqual({ id: 2 });
  });

  it('takes who and from where from the settings of the transaction', async () => {
    await createOrders('id integer primary key');
    await inTransaction(database.pool, async (client) => {
      await client.query("select set_config('waybill.principal', $1, true), set_config('waybill.request', $2, true)", [
        JSON.stringify({ id: 'user-7', subject: 'Ada' }),
        JSON.stringify({ id: 'r-1', ip: '203.0.113.9' }),
      ]);
      await client.query('insert into shop.orders values (1)');
    });
    await run('insert into shop.orders values (2)');
    const list = await events();
    expect(list[0]).toMatchObject({ principal: { id: 'user-7', subject: 'Ada' }, request: { id: 'r-1' } });
    expect(list[1]).not.toHaveProperty('principal');
    expect(list[1]).not.toHaveProperty('request');
  });

  it('records the changes of every role that may change the table', async () => {
    await createOrders('id integer primary key');
    const role = `outbox_clerk_${Date.now()}`;
    await run(`create role ${role}; grant usage on schema shop to ${role}; grant insert on shop.orders to ${role}`);
    await inTransaction(database.pool, async (client) => {
      await client.query(`set local role ${role}`);
      await client.query('insert into shop.orders values (1)');
      await client.query('savepoint own_table');
      await client.query('create temporary table orders (id integer)');
      const forged = client.query(
        `create trigger forged after insert on orders for each row execute function waybill_outbox.record_change('{}')`,
      );
      await expect(forged).rejects.toThrow('permission denied');
      await client.query('rollback to savepoint own_table');
    });
    expect(await onlyObject()).toEqual({ id: 1 });
    await run(`drop owned by ${role}; drop role ${role}`);
  });

  it.each([
    ['a column', 'shop.mood'],
    ['a list', 'shop.mood[]'],
    ['a domain', 'shop.mood_domain'],
    ['a row', 'shop.mood_row'],
  ])('runs no function of the owner of the table with its own rights: %s', async (_, type) => {
    await createOrders('id integer primary key');
    const role = `outbox_owner_${Date.now()}`;
    await run(`create role ${role}; grant all on schema shop to ${role}; alter table shop.orders owner to ${role}`);
    await inTransaction(database.pool, async (client) => {
      await client.query(`set local role ${role}`);
      await client.query(`
        create type shop.mood as enum ('sly');
        create domain shop.mood_domain as shop.mood;
        create type shop.mood_row as (mood shop.mood);
        create table shop.seen (name text);
        create function shop.spy(shop.mood) returns json language sql
          as $$ insert into shop.seen values (current_user); select '1'::json $$;
        create cast (shop.mood as json) with function shop.spy(shop.mood)`);
      await client.query('insert into shop.orders values (1)');
      await client.query('savepoint without_column');
      await client.query(`alter table shop.orders add column mood ${type}`);
      const value = type.endsWith('[]') ? `'{sly}'` : type.endsWith('row') ? `row('sly')` : `'sly'`;
      await expect(client.query(`insert into shop.orders values (2, ${value})`)).rejects.toThrow(
        'shop.orders cannot be recorded: the type shop.mood has a cast to json by a function of another role',
      );
      await client.query('rollback to savepoint without_column');
    });
    expect(await onlyObject()).toEqual({ id: 1 });
    await run(`drop owned by ${role} cascade; drop role ${role}`);
  });

  it('is replaced by a second call', async () => {
    await createOrders('id integer primary key, note text');
    await run(triggerSql({ table: 'shop.orders', type: 'order', exclude: ['note'] }));
    await run("insert into shop.orders values (1, 'a')");
    expect(await onlyObject()).toEqual({ id: 1 });
  });

  it('is created by one statement: psql would commit each of several, and go on after an error', async () => {
    await createOrders('id integer primary key, note text', { exclude: ['note'] });
    const statement = (column: string) => ({
      text: triggerSql({ table: 'shop.orders', type: 'order', exclude: [column] }),
      queryMode: 'extended',
    });
    await expect(database.pool.query(statement('nota'))).rejects.toThrow('has no column nota');
    await database.pool.query(statement('note'));
    await run("insert into shop.orders values (1, 'a')");
    expect(await onlyObject()).toEqual({ id: 1 });
  });

  it('records a partitioned table', async () => {
    await run('create table shop.orders (id integer, day date, primary key (id, day)) partition by range (day)');
    await run(
      `create table shop.orders_2026 partition of shop.orders for values from ('2026-01-01') to ('2027-01-01')`,
    );
    await run(triggerSql({ table: 'shop.orders', type: 'order' }));
    await run(`insert into shop.orders values (1, '2026-05-01')`);
    expect(await onlyObject()).toEqual({ id: 1, day: '2026-05-01' });
  });
});

describe('values', () => {
  it('are the same in every session', async () => {
    await run("create type shop.size as enum ('small'); create type shop.point as (x integer, y text)");
    await createOrders(`id timestamptz primary key, at timestamptz, day date, span interval, bytes bytea, price money,
      ratio double precision, unknown double precision, tags text[], grid integer[][], size shop.size, place shop.point,
      document jsonb, raw json, range int4range, during tstzrange, address inet, key uuid, flag boolean, none text`);
    const values = `('2026-01-31 12:00:00+00', '2026-01-31 12:00:00.123456+00', '2026-01-31', '1 day 2 hours', '\\x00ff', '5.50',
      0.1, 'NaN', '{a,null,"b c"}', '{{1,2},{3,4}}', 'small', '(1,"a b")', '{"b": [1.50, null], "a": "x"}', '{"z": 1}',
      '[1,5)', '[2026-01-31 12:00:00+00,)', '10.0.0.1', '6f1e1b1a-0000-4000-8000-000000000000', true, null)`;
    await inTransaction(database.pool, async (client) => {
      await client.query(
        "set local timezone = 'Asia/Kolkata'; set local datestyle = 'German'; set local bytea_output = 'escape'",
      );
      await client.query("set local intervalstyle = 'sql_standard'; set local extra_float_digits = -3");
      await client.query(`insert into shop.orders values ${values}`);
    });
    const [event] = await events();
    expect(event).toEqual({
      type: 'order_created.v0',
      resource_id: '2026-01-31T12:00:00+00:00',
      object: {
        id: '2026-01-31T12:00:00+00:00',
        at: '2026-01-31T12:00:00.123456+00:00',
        day: '2026-01-31',
        span: 'P1DT2H',
        bytes: String.raw`\x00ff`,
        price: expect.stringMatching(/5\.50$/) as unknown,
        ratio: 0.1,
        unknown: 'NaN',
        tags: ['a', null, 'b c'],
        grid: [
          [1, 2],
          [3, 4],
        ],
        size: 'small',
        place: { x: 1, y: 'a b' },
        document: { a: 'x', b: [1.5, null] },
        raw: { z: 1 },
        range: '[1,5)',
        during: '["2026-01-31 12:00:00+00",)',
        address: '10.0.0.1',
        key: '6f1e1b1a-0000-4000-8000-000000000000',
        flag: true,
        none: null,
      },
    });
  });

  it('are text where JSON cannot carry a number', async () => {
    await createOrders(
      'id bigint primary key, exact numeric, inexact numeric, huge numeric, tiny numeric, document jsonb',
    );
    await run(`insert into shop.orders values (9007199254740993, 12345678901.25, 0.12345678901234567891, 1e400, 1e-400,
      '{"a": [9007199254740991, 9007199254740992, {"b": -9007199254740993}], "c": 1.5}')`);
    const [event] = await events();
    expect(event).toMatchObject({
      resource_id: '9007199254740993',
      object: {
        id: '9007199254740993',
        exact: 12345678901.25,
        inexact: '0.12345678901234567891',
        document: { a: [9007199254740991, '9007199254740992', { b: '-9007199254740993' }], c: 1.5 },
      },
    });
    expect(event).toMatchObject({ object: { huge: `1${'0'.repeat(400)}`, tiny: `0.${'0'.repeat(399)}1` } });
  });

  it('are text always in the columns that say so', async () => {
    await createOrders('id bigint primary key, total numeric', { text: ['id', 'total'] });
    await run('insert into shop.orders values (1, 2.50), (2, null)');
    expect((await events()).map((event) => event['object'])).toEqual([
      { id: '1', total: '2.50' },
      { id: '2', total: null },
    ]);
  });

  it('fail the change with a clear error where no event can show them', async () => {
    await createOrders('id text, note text, document jsonb');
    await expect(run("insert into shop.orders values ('', 'a')")).rejects.toThrow(
      '/resource_id must be text of 1 to 255',
    );
    await expect(run("insert into shop.orders values (null, 'a')")).rejects.toThrow('The column id, which identifies');
    await expect(run("insert into shop.orders values ('1', repeat('x', 60000))")).rejects.toThrow(
      '54784 bytes of JSON',
    );
    await expect(
      run(`insert into shop.orders values ('1', 'a', (repeat('[', 30) || repeat(']', 30))::jsonb)`),
    ).rejects.toThrow('/object is nested deeper than 24 levels');
    await run("insert into shop.orders values ('1', 'a')");
    expect(await onlyObject()).toEqual({ id: '1', note: 'a', document: null });
  });

  it('may become small enough in a row that was there before the trigger', async () => {
    await run(
      "create table shop.orders (id integer, note text); insert into shop.orders values (1, repeat('x', 70000))",
    );
    await run(triggerSql({ table: 'shop.orders', type: 'order' }));
    await run("update shop.orders set note = 'a'; delete from shop.orders");
    expect(await events()).toEqual([
      { type: 'order_updated.v0', resource_id: '1', object: { id: 1, note: 'a' }, changes: null },
      { type: 'order_deleted.v0', resource_id: '1', object: { id: 1, note: 'a' } },
    ]);
  });
});

describe('names', () => {
  const hostile = [
    `a"b`,
    `o'clock`,
    String.raw`back\slash`,
    '$$',
    '$waybill$ $waybill_$',
    '%I %s',
    'été 😀',
    'select',
    ' ',
    'x"); drop table t; --',
  ];

  it.each(hostile)('of tables and columns may be %s', async (name) => {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    const table = `shop.${quoted}`;
    await run(`create table ${table} (${quoted} integer primary key, "hidden ${name.replaceAll('"', '""')}" text)`);
    await run(triggerSql({ table, type: 'odd', id: [name], exclude: [`hidden ${name}`] }));
    await run(`insert into ${table} values (1, 'secret')`);
    expect(await events()).toEqual([{ type: 'odd_created.v0', resource_id: '1', object: { [name]: 1 } }]);
    await expect(run(`truncate ${table}`)).rejects.toThrow('is refused');
  });

  it('of columns must exist when the trigger is created', async () => {
    await run('create table shop.orders (id integer primary key, password_hash text)');
    const options = { table: 'shop.orders', type: 'order' };
    await expect(run(triggerSql({ ...options, exclude: ['password'] }))).rejects.toThrow('has no column password.');
    await expect(run(triggerSql({ ...options, id: ['ID'] }))).rejects.toThrow('has no column "ID".');
    await expect(run(triggerSql({ ...options, table: 'shop.none' }))).rejects.toThrow('"shop.none" does not exist');
  });

  it('of a reserved member must be excluded', async () => {
    await run('create table shop.orders (id integer primary key, "__proto__" integer)');
    const options = { table: 'shop.orders', type: 'order' };
    await expect(run(triggerSql(options))).rejects.toThrow(
      'The column __proto__ of the table shop.orders must be excluded.',
    );
    await run(triggerSql({ ...options, exclude: ['__proto__'] }));
    await run('insert into shop.orders values (1, 2)');
    expect(await onlyObject()).toEqual({ id: 1 });
  });

  it.each<[Partial<TriggerOptions>, string]>([
    [{ table: 'a.b.c' }, 'is no name of a table'],
    [{ table: 'a\0' }, 'NUL'],
    [{ type: 'Order' }, 'is no name of a resource type'],
    [{ type: 'a'.repeat(65) }, 'is no name of a resource type'],
    [{ version: 1_000 }, 'The version must be'],
    [{ version: 0.5 }, 'The version must be'],
    [{ id: [] }, 'At least one column'],
    [{ type: 'user' }, 'user is a resource type of Waybill: put a namespace before it, such as app.user.'],
    [{ type: 'event_destination' }, 'put a namespace before it'],
  ])('and options are checked: %j', (options, message) => {
    expect(() => triggerSql({ table: 'orders', type: 'order', ...options })).toThrow(message);
  });
});

it('must exclude virtual generated columns, which triggers do not see', async () => {
  await createOrders('id integer primary key');
  await run('alter table shop.orders add column triple integer generated always as (id * 3) stored');
  await run('insert into shop.orders values (1)');
  expect(await onlyObject()).toEqual({ id: 1, triple: 3 });
  const { rows } = await database.pool.query<{ number: number }>(
    "select current_setting('server_version_num')::integer as number",
  );
  // Older versions have none.
  if (Number(rows[0]?.number) < 180_000) return;
  await run('alter table shop.orders add column double integer generated always as (id * 2) virtual');
  const options = { table: 'shop.orders', type: 'order' };
  const message = 'The column double of the table shop.orders must be excluded.';
  await expect(run('insert into shop.orders values (2)')).rejects.toThrow(message);
  await expect(run(triggerSql(options))).rejects.toThrow(message);
  await run(triggerSql({ ...options, exclude: ['double'] }));
  await run('delete from shop.orders');
  expect((await events())[1]).toMatchObject({ type: 'order_deleted.v0', object: { id: 1, triple: 3 } });
});
