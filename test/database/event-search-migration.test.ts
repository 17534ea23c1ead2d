import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { openDatabase, type Database } from '../../src/database/database.js';
import { migrate, migrations } from '../../src/database/migrate.js';
import { SearchFillStore } from '../../src/events/search/search-fill-store.js';
import { fillAll } from '../../src/events/search/search-fill.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import { runStatement } from '../../tools/bench/environment/database.js';
import { withDatabase } from '../support/test-postgres.js';

const logger = createLogger('silent');
const NAME = '0036_event_search';
const EVENTS = 250;

let name: string;
let url: string;
let db: Database;
let pool: Pool;

beforeEach(async () => {
  name = `waybill_search_${randomBytes(6).toString('hex')}`;
  await runStatement(inject('postgresUrl'), `create database ${name}`);
  url = withDatabase(inject('postgresUrl'), name);
  const before = Object.entries(migrations).filter(([known]) => known < NAME);
  await migrate(url, logger, Object.fromEntries(before));
  ({ db, pool } = openDatabase({ connectionString: url, poolSize: 4, applicationName: name, logger }));
  pool.on('error', () => {});
});
afterEach(async () => {
  await db.destroy();
  await runStatement(inject('postgresUrl'), `drop database ${name} with (force)`);
});

const forever = { stopped: new AbortController().signal, progressed: () => {} };

interface Keys {
  readonly principal_id: string | null;
  readonly credential_id: string | null;
  readonly operation_id: string | null;
  readonly changed_fields: string[] | null;
}

/** Writes an event as a release before the migration does. */
async function insert(payload: unknown): Promise<string> {
  const id = newId('evt');
  await pool.query(
    `insert into events (id, account_id, type, resource_id, payload, created_at) values ($1, 'acc_1', 't', 'r', $2, now())`,
    [id, typeof payload === 'string' ? payload : JSON.stringify(payload)],
  );
  return id;
}

async function keysOf(id: string): Promise<Keys | undefined> {
  const { rows } = await pool.query<Keys>(
    'select principal_id, credential_id, operation_id, changed_fields from events where id = $1',
    [id],
  );
  return rows[0];
}

const unfilled = { principal_id: null, credential_id: null, operation_id: null, changed_fields: null };

function payloadOf(index: number): unknown {
  return {
    principal: { id: `usr_${index}`, credential: index % 2 ? { id: 'ak_1' } : null },
    request: { operation_id: `op_${index}` },
    ...(index % 3 === 0 && { changes: { before: { name: 'a' }, after: { name: 'b', cidr: 'c' } } }),
  };
}

it('fills events of before from their payloads, and those that the release before writes later', async () => {
  const events = new Map<string, number>();
  for (let index = 0; index < EVENTS; index += 1) events.set(await insert(payloadOf(index)), index);
  await migrate(url, logger);
  const store = new SearchFillStore(db);
  const [first = ''] = events.keys();
  expect(await keysOf(first)).toEqual(unfilled);
  const late = await insert(payloadOf(3));
  expect(await keysOf(late)).toMatchObject({ principal_id: 'usr_3', credential_id: 'ak_1', operation_id: 'op_3' });

  // Interrupted after the first pages: the newest are filled, and the store says since when.
  const whole = await store.completeSince();
  await store.page(20);
  await store.page(20);
  const since = await store.completeSince();
  expect(since?.getTime()).toBeLessThan(whole?.getTime() ?? 0);
  const { rows } = await pool.query<{ missing: number; newer: number }>(
    `select count(*) filter (where operation_id is null)::int as missing,
            count(*) filter (where operation_id is null and created_at >= $1)::int as newer from events`,
    [since],
  );
  expect(rows[0]).toEqual({ missing: EVENTS + 1 - 40, newer: 0 });

  expect(await fillAll(store, logger, forever, 30)).toBe(EVENTS + 1 - 40);
  expect(await store.completeSince()).toBeNull();
  for (const [id, index] of events) {
    const keys = await keysOf(id);
    expect({ ...keys, changed_fields: keys?.changed_fields?.toSorted() ?? null }).toEqual({
      principal_id: `usr_${index}`,
      credential_id: index % 2 ? 'ak_1' : null,
      operation_id: `op_${index}`,
      changed_fields: index % 3 === 0 ? ['cidr', 'name'] : null,
    });
  }
});

it('leaves what Postgres cannot read of a payload, and goes past it', async () => {
  const ids = [await insert('{'), await insert('{"principal":{"id":"\\u0000"}}'), await insert('[]')];
  await migrate(url, logger);
  await fillAll(new SearchFillStore(db), logger, forever);
  for (const id of ids) expect(await keysOf(id)).toEqual(unfilled);
  await expect(insert('{"request":{"operation_id":"\\ud800"}}')).resolves.toMatch(/^evt_/);
});

it('has nothing to fill in a new database, and adopts the indexes of the partitions', async () => {
  await migrate(url, logger);
  expect(await new SearchFillStore(db).completeSince()).toBeNull();
  const { rows } = await pool.query<{ partition: string; indexes: number; invalid: number }>(
    `select i.inhrelid::regclass::text as partition, count(x.*)::int as indexes,
            count(*) filter (where not x.indisvalid)::int as invalid
     from pg_inherits i join pg_index x on x.indrelid = i.inhrelid
     where i.inhparent = 'events'::regclass group by 1 order by 1`,
  );
  expect(rows).toEqual([
    { partition: 'events_default', indexes: 7, invalid: 0 },
    { partition: 'events_first', indexes: 7, invalid: 0 },
  ]);
});

it('continues where it was interrupted: with the columns, and without one of the indexes', async () => {
  await insert(payloadOf(1));
  const migration = migrations[NAME];
  const [columns, indexes] = migration?.before ?? [];
  if (!migration || !columns || !indexes) throw new Error('The migration is missing.');
  const interrupted = {
    ...migration,
    before: [columns, indexes, { inTransaction: false, run: () => Promise.reject(new Error('interrupted')) }],
  };
  await expect(migrate(url, logger, { ...migrations, [NAME]: interrupted })).rejects.toThrow('interrupted');
  await pool.query('drop index events_first_by_operation');
  await insert(payloadOf(2));
  await migrate(url, logger);
  const { rows } = await pool.query<{ valid: boolean }>(
    `select indisvalid as valid from pg_index where indexrelid = 'events_by_operation'::regclass`,
  );
  expect(rows).toEqual([{ valid: true }]);
  expect(await fillAll(new SearchFillStore(db), logger, forever)).toBe(2);
});
