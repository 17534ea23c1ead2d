import { randomBytes } from 'node:crypto';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordChange, transaction, type RecordedTable, type RowId } from '../src/index.js';
import { createTestDatabase, recordedEvents, type TestDatabase } from './support/test-database.js';

const notes: RecordedTable = { table: 'notes', type: 'note', exclude: ['secret'] };

/** Roles belong to the whole server. */
const writer = `outbox_writer_${randomBytes(6).toString('hex')}`;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(`
    create table notes (id integer primary key, body text, secret text, at timestamptz, size numeric, during tsrange);
    create schema "Odd";
    create table "Odd"."a ""line""" (order_id uuid, "No" integer, body text, primary key (order_id, "No"));
    create table loose (id integer, body text);
    create table pages (id integer primary key, body text, deleted_at timestamptz);
    create role ${writer};
    grant usage on schema waybill_outbox to ${writer};
    grant insert (event_id, event) on waybill_outbox.events to ${writer};
    grant select, insert, update, delete on notes to ${writer};`);
});
beforeEach(() => database.pool.query('truncate notes, "Odd"."a ""line""", loose, pages, waybill_outbox.events'));
afterAll(async () => {
  await database.pool.query(`drop owned by ${writer}; drop role ${writer}`);
  await database.close();
});

/** Changes a row with a statement. */
function change(table: RecordedTable, id: RowId, sql: string, values: unknown[] = []): Promise<unknown> {
  return transaction(database.pool, {}, (client) => recordChange(client, table, id, () => client.query(sql, values)));
}

describe('recordChange', () => {
  it('records what has become of the row', async () => {
    await change(notes, 1, "insert into notes (id, body, secret) values (1, 'a', 's')");
    await change(notes, 1, "update notes set body = 'b'");
    await change(notes, 1, "update notes set secret = 't'");
    await change({ ...notes, action: 'locked', version: 2 }, '1', "update notes set body = 'c'");
    await change(notes, 1n, 'delete from notes');
    await change(notes, 1, 'delete from notes');
    const object = { id: 1, body: 'b', at: null, size: null, during: null };
    expect(await recordedEvents(database.pool)).toEqual([
      { type: 'note_created.v0', resource_id: '1', object: { ...object, body: 'a' } },
      {
        type: 'note_updated.v0',
        resource_id: '1',
        object,
        changes: { before: { body: 'a' }, after: { body: 'b' } },
      },
      {
        type: 'note_locked.v2',
        resource_id: '1',
        object: { ...object, body: 'c' },
        changes: { before: { body: 'b' }, after: { body: 'c' } },
      },
      { type: 'note_deleted.v0', resource_id: '1', object: { ...object, body: 'c' } },
    ]);
  });

  it('returns what the change returns, and takes the id of a new row from it', async () => {
    const row = await transaction(database.pool, {}, (client) =>
      recordChange(
        client,
        notes,
        ({ id }: { id: number }) => id,
        async () => (await client.query<{ id: number }>('insert into notes (id) values (7) returning *')).rows[0]!,
      ),
    );
    expect(row.id).toBe(7);
    expect(await recordedEvents(database.pool)).toMatchObject([{ type: 'note_created.v0', resource_id: '7' }]);
  });

  it('identifies rows by several columns, in any table', async () => {
    const lines: RecordedTable = { table: '"Odd"."a ""line"""', type: 'line', id: ['order_id', 'No'] };
    const order = '8A6E0804-2BD0-4672-B79D-D97027F9071A';
    await change(lines, [order, 2], `insert into "Odd"."a ""line""" values ($1, 2, 'a')`, [order]);
    await change(lines, [order, 2], `update "Odd"."a ""line""" set body = 'b'`);
    const id = `${order.toLowerCase()}/2`;
    expect(await recordedEvents(database.pool)).toMatchObject([
      { type: 'line_created.v0', resource_id: id },
      { type: 'line_updated.v0', resource_id: id, changes: { after: { body: 'b' } } },
    ]);
    await expect(change(lines, order, 'select 1')).rejects.toThrow('is identified by 2 values, not 1');
  });

  it('records soft deletes as deletions', async () => {
    const pages: RecordedTable = { table: 'pages', type: 'page', softDelete: 'deleted_at' };
    await change(pages, 1, "insert into pages values (1, 'a')");
    await change(pages, 1, "update pages set deleted_at = '2026-01-31T12:00:00Z'");
    await change(pages, 1, "update pages set body = 'b'");
    await change(pages, 1, 'update pages set deleted_at = null');
    await change(pages, 1, 'delete from pages');
    expect((await recordedEvents(database.pool)).map(({ type, object }) => [type, object])).toEqual([
      ['page_created.v0', { id: 1, body: 'a', deleted_at: null }],
      ['page_deleted.v0', { id: 1, body: 'a', deleted_at: '2026-01-31T12:00:00+00:00' }],
      ['page_created.v0', { id: 1, body: 'b', deleted_at: null }],
      ['page_deleted.v0', { id: 1, body: 'b', deleted_at: null }],
    ]);
  });

  it('shows values as triggers do, whatever the session has set', async () => {
    await transaction(database.pool, {}, async (client) => {
      await client.query(
        "set local timezone = 'Asia/Kolkata'; set local extra_float_digits = 0; set local datestyle = 'German'",
      );
      const insert = `insert into notes (id, at, size, during)
        values (1, '2026-01-31T12:00:00Z', 12345678901234567890, '[2026-01-31,)')`;
      await recordChange(client, notes, 1, () => client.query(insert));
    });
    expect(await recordedEvents(database.pool)).toMatchObject([
      {
        object: { at: '2026-01-31T12:00:00+00:00', size: '12345678901234567890', during: '["2026-01-31 00:00:00",)' },
      },
    ]);
  });

  it('needs no rights but those of the change and of recording', async () => {
    await transaction(database.pool, {}, async (client) => {
      await client.query(`set local role ${writer}`);
      await recordChange(client, notes, 1, () => client.query('insert into notes (id) values (1)'));
      await recordChange(client, notes, 1, () => client.query('delete from notes'));
    });
    expect(await recordedEvents(database.pool)).toHaveLength(2);
  });

  it('needs to see the row where row-level security hides it, and takes nothing for a creation', async () => {
    await database.pool.query(`
      create table owned (id integer primary key, owner text, body text);
      alter table owned enable row level security;
      create policy reading on owned for select using (owner in ('me', 'all'));
      create policy inserting on owned for insert with check (true);
      create policy updating on owned for update using (owner = 'me');
      create policy deleting on owned for delete using (true);
      grant select, insert, update, delete on owned to ${writer};
      insert into owned values (1, 'all'), (2, 'you'), (3, 'all')`);
    const owned: RecordedTable = { table: 'owned', type: 'owned' };
    const act = (id: RowId | (() => RowId), ...statements: string[]) =>
      transaction(database.pool, {}, async (client) => {
        await client.query(`set local role ${writer}`);
        await recordChange(client, owned, id, async () => {
          for (const sql of statements) await client.query(sql);
        });
      });
    const hidden = "insert into owned values (4, 'you')";
    await expect(act(4, hidden)).rejects.toThrow('No row of public.owned has the id ["4"].');
    await expect(act(() => 4, hidden)).rejects.toThrow('No row of public.owned has the id ["4"].');
    // The policies refuse these two.
    await act(1, "update owned set body = 'b' where id = 1");
    await act(2, "update owned set body = 'b' where id = 2");
    await act(1, "insert into owned values (5, 'me')", "update owned set body = 'b' where id = 1");
    expect(await recordedEvents(database.pool)).toEqual([]);
    await act(6, "insert into owned values (6, 'me')");
    await act(3, 'delete from owned where id = 3');
    expect(await recordedEvents(database.pool)).toMatchObject([
      { type: 'owned_created.v0', resource_id: '6' },
      { type: 'owned_deleted.v0', resource_id: '3' },
    ]);
  });

  it('locks the row before the change: each event continues the one before', async () => {
    await change(notes, 1, 'insert into notes (id, size) values (1, 0)');
    await Promise.all(
      Array.from({ length: 20 }, () => change(notes, 1, "update notes set size = size + 1, body = 'x'")),
    );
    const list = (await recordedEvents(database.pool)) as { changes?: { before: { size: number } } }[];
    expect(list.slice(1).map(({ changes }) => changes?.before.size)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('records one creation where several transactions create or update the row', async () => {
    const upsert = 'insert into notes (id, size) values (1, $1) on conflict (id) do update set size = excluded.size';
    await Promise.all(Array.from({ length: 10 }, (_, n) => change(notes, 1, upsert, [n])));
    expect((await recordedEvents(database.pool)).map(({ type }) => type)).toEqual([
      'note_created.v0',
      ...Array.from({ length: 9 }, () => 'note_updated.v0'),
    ]);
  });

  it('finds the row by its index', async () => {
    await database.pool.query('insert into notes (id) select generate_series(1, 5000); analyze notes');
    await transaction(database.pool, {}, async (client) => {
      const before = await scans(client);
      await recordChange(client, notes, 7, () => client.query("update notes set body = 'x' where id = 7"));
      expect(await scans(client)).toEqual(before);
    });
  });

  it('refuses an id that the operators of Postgres do not compare as its type does', async () => {
    await database.pool.query(`
      create extension citext;
      create extension btree_gist;
      create domain address as citext;
      create table members (id bigint, name varchar(9), email citext, other address)`);
    const insert = "insert into members values (1, 'a', 'Ada@example.com', 'Ada@example.com')";
    const changeBy = (column: string) =>
      change({ table: 'members', type: 'member', id: [column] }, 'Ada@example.com', insert);
    await expect(changeBy('email')).rejects.toThrow('The column email of public.members cannot identify a row');
    await expect(changeBy('other')).rejects.toThrow('The column other of public.members cannot identify a row');
    expect(await recordedEvents(database.pool)).toEqual([]);
    await change({ table: 'members', type: 'member', id: ['id', 'name'] }, [1, 'a'], insert);
    expect(await recordedEvents(database.pool)).toMatchObject([{ type: 'member_created.v0', resource_id: '1/a' }]);
  });

  it('refuses what does not identify one row, and the transaction with it', async () => {
    const loose: RecordedTable = { table: 'loose', type: 'loose' };
    const insert = "insert into loose values (1, 'a'), (1, 'b')";
    await expect(change(loose, 1, insert)).rejects.toThrow('Several rows of public.loose have the id ["1"]');
    const none = recordChange(
      database.pool,
      notes,
      () => undefined as unknown as number,
      async () => {},
    );
    await expect(none).rejects.toThrow('undefined cannot identify a row');
    const other = recordChange(
      database.pool,
      notes,
      () => 2,
      () => database.pool.query('insert into notes (id) values (1)'),
    );
    await expect(other).rejects.toThrow('No row of public.notes has the id ["2"].');
    for (const options of [{ softDelete: 'gone' }, { text: ['gone'] }])
      await expect(change({ ...notes, ...options }, 1, 'insert into notes values (1)')).rejects.toMatchObject({
        message: 'The table has no column gone, which its options for the outbox name.',
        hint: 'Give the options, or the trigger, the present columns.',
      });
    await expect(change({ table: 'absent', type: 'note' }, 1, 'select 1')).rejects.toThrow('"absent" does not exist');
    await expect(change({ table: 'notes', type: 'Note' }, 1, 'select 1')).rejects.toThrow('no name of a resource type');
    await expect(
      recordChange(
        () => Promise.resolve('OK'),
        notes,
        1,
        async () => {},
      ),
    ).rejects.toThrow('The query runner returned no rows');
    expect(await recordedEvents(database.pool)).toEqual([]);
  });
});

/** Returns how often this transaction has read the whole table. */
async function scans(client: PoolClient): Promise<unknown> {
  const { rows } = await client.query("select pg_stat_get_xact_numscans('notes'::regclass) as scans");
  return rows[0];
}
