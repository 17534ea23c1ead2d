import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { openDatabase } from '../../src/database/database.js';
import { migrate, migrations } from '../../src/database/migrate.js';
import type { PreparingPart, SchemaMigration } from '../../src/database/migration.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { idBound } from '../../src/ids/id-time.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import { targetLimits } from '../../src/targets/registry.js';
import { runStatement } from '../../tools/bench/environment/database.js';
import { settleBeforeHistory } from '../delivery/support/settle-before-history.js';
import { LATER_COLUMNS } from '../support/later-columns.js';
import { withDatabase } from '../support/test-postgres.js';

const NAME = '0032_event_partitions';
const DESTINATION = 'ed_1';
const DAY_MS = 86_400_000;
const logger = createLogger('silent');
const soon = { timeoutMs: 1_000, retriesMs: [20], maxTries: 100 };

const upTo = (last: string) => Object.fromEntries(Object.entries(migrations).filter(([known]) => known <= last));
const target = upTo(NAME);
const partitioning = migrations[NAME];
const parts = partitioning?.before ?? [];

let name: string;
let url: string;
let client: Client;
beforeEach(async () => {
  name = `waybill_events_${randomBytes(6).toString('hex')}`;
  await runStatement(inject('postgresUrl'), `create database ${name}`);
  url = withDatabase(inject('postgresUrl'), name);
  await migrate(url, logger, upTo('0031_publisher_ids'));
  client = new Client({ connectionString: url });
  await client.connect();
  await client.query(LATER_COLUMNS);
  await client.query(`insert into accounts (id, name) values ('acc_1', 'one')`);
  await client.query(
    `insert into resources (id, account_id, kind, attributes, created_at, updated_at)
     values ('${DESTINATION}', 'acc_1', 'event_destination', '{}', now(), now())`,
  );
  await client.query(
    `insert into delivery_lanes (destination_id, account_id, target_kind) values ('${DESTINATION}', 'acc_1', 'data_stream')`,
  );
});
afterEach(async () => {
  await client.end();
  await runStatement(inject('postgresUrl'), `drop database ${name} with (force)`);
});

/** Events with a delivery each, as the release before has written them; every second one was published. */
async function seedOld(count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => newId('evt'));
  await client.query(
    `with event as (
       insert into events (id, account_id, type, resource_id, payload, created_at, publisher_id, publisher_hash)
       select id, 'acc_1', 'note_created.v0', 'note_1', '{}', now(), case when n % 2 = 0 then 'own-' || id end,
              case when n % 2 = 0 then sha256('{}') end
       from unnest($1::text[]) with ordinality as given (id, n) returning id
     )
     insert into deliveries (event_id, destination_id, account_id, created_at)
     select id, '${DESTINATION}', 'acc_1', now() from unnest($1::text[]) id`,
    [ids],
  );
  return ids;
}

async function column<Value>(text: string): Promise<readonly Value[]> {
  const { rows } = await client.query<{ value: Value }>(text);
  return rows.map(({ value }) => value);
}

const eventIds = () => column<string>('select id as value from events order by id');

/** The state that the migration leaves, whatever happened on its way. */
async function expectPartitioned(ids: readonly string[]): Promise<void> {
  expect(await eventIds()).toEqual(ids.toSorted());
  const tables = await column<string>(
    `select inhrelid::regclass::text as value from pg_inherits where inhparent = 'events'::regclass order by 1`,
  );
  expect(tables).toEqual(['events_default', 'events_first']);
  const invalid = `select indexrelid::regclass::text as value from pg_index where not indisvalid`;
  expect(await column(invalid)).toEqual([]);
  // The indexes of the first partition are those that it had.
  const indexes = await column<string>(
    `select i.inhrelid::regclass::text || ' of ' || i.inhparent::regclass::text as value
     from pg_index x join pg_inherits i on i.inhrelid = x.indexrelid where x.indrelid = 'events_first'::regclass order by 1`,
  );
  expect(indexes).toEqual([
    'events_first_by_account of events_by_account',
    'events_first_by_type of events_by_type',
    'events_first_pkey of events_pkey',
  ]);
  const constraints = `select conname as value from pg_constraint
    where conrelid in ('events'::regclass, 'events_first'::regclass, 'deliveries'::regclass, 'fan_out_parts'::regclass)
      and contype in ('f', 'c') and conname not like 'deliveries_state%'`;
  expect(await column(constraints)).toEqual([]);
}

/** The parts of the migration, with `around` instead of the run of each. */
function withParts(around: (index: number, part: PreparingPart, run: () => Promise<void>) => Promise<void>) {
  if (!partitioning) throw new Error('The migration is missing.');
  const watched: SchemaMigration = {
    ...partitioning,
    before: parts.map((part, index) => ({
      inTransaction: part.inTransaction,
      run: (db, log) => around(index, part, () => part.run(db, log)),
    })),
  };
  return { ...target, [NAME]: watched };
}

/** Ends the connection of the migration, as the end of its process does. */
async function killMigration(): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'waybill migration' and datname = current_database()`,
  );
}

/** Writes events and delivers them on the same connections, until `stop` is called. Resolves with the written ids. */
function startLoad() {
  const { db } = openDatabase({ connectionString: url, poolSize: 4, applicationName: 'load', logger });
  const lanes = new LaneStore(db, targetLimits);
  const batches = new BatchStore(db);
  const written: string[] = [];
  let delivered = 0;
  const stopped = new AbortController();
  const write = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const id = newId('evt');
      await sql`
        with event as (
          insert into events (id, account_id, type, resource_id, payload, created_at)
          values (${id}, 'acc_1', 'note_created.v0', 'note_1', '{}', now())
        )
        insert into deliveries (event_id, destination_id, account_id, created_at)
        values (${id}, ${DESTINATION}, 'acc_1', now())`.execute(db);
      written.push(id);
    }
  };
  const deliver = async (): Promise<void> => {
    for (;;) {
      const wasRunning = !stopped.signal.aborted;
      const batch = await lanes.claim(DESTINATION, newId('bat'));
      if (batch) {
        const grant = await lanes.lease(DESTINATION, batch.batchId, newId('att'), 60_000);
        if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
        const loaded = await batches.load(grant.lease);
        expect(await settleBeforeHistory(db, grant.lease, loaded)).toBe(true);
        delivered += loaded.length;
      } else if (!wasRunning) return;
    }
  };
  const work = Promise.all([write(), write(), deliver()]);
  // A failure is reported by `stop`.
  work.catch(() => undefined);
  return {
    counts: () => ({ written: written.length, delivered }),
    async stop(): Promise<readonly string[]> {
      stopped.abort();
      try {
        await work;
        return written;
      } finally {
        await db.destroy();
      }
    },
  };
}

it('makes the table a partition while events are written and delivered on the same connections', async () => {
  const old = await seedOld(2_000);
  const load = startLoad();
  const more = async (): Promise<void> => {
    const before = load.counts();
    await expect.poll(() => load.counts().written).toBeGreaterThan(before.written + 5);
    await expect.poll(() => load.counts().delivered).toBeGreaterThan(before.delivered);
  };
  await more();
  const known = withParts(async (index, part, run) => {
    await run();
    // Between the parts, the release before works.
    if (!part.inTransaction) await more();
  });
  await migrate(url, logger, known, soon);
  await more();
  const written = await load.stop();
  await expectPartitioned([...old, ...written]);
  expect(load.counts().delivered).toBe(old.length + written.length);
  expect(await column(`select count(*)::int as value from deliveries where state <> 'delivered'`)).toEqual([0]);
});

it('continues where it was killed, after each part and in the change itself', async () => {
  const old = await seedOld(10);
  for (let killed = 0; killed <= parts.length; killed += 1) {
    const known = withParts(async (index, _, run) => {
      await run();
      if (index === killed) await killMigration();
    });
    const { [NAME]: watched } = known;
    const up: SchemaMigration['up'] = async (db) => {
      await watched?.up(db);
      await killMigration();
    };
    await expect(
      migrate(url, logger, { ...known, ...(watched && { [NAME]: { ...watched, up } }) }, soon),
    ).rejects.toThrow(NAME);
    expect(await eventIds()).toEqual(old);
  }
  await migrate(url, logger, target, soon);
  await expectPartitioned(old);
});

it('copies the ids of publishers: those of before, and those that are published meanwhile', async () => {
  const ids = [...(await seedOld(12_000))];
  const known = withParts(async (_, __, run) => {
    // Before the part takes its locks.
    ids.push(...(await seedOld(4)));
    await run();
  });
  await migrate(url, logger, known, soon);
  const copied = await column<string>(
    `select account_id || publisher_id || event_id || (hash = sha256('{}')) as value from publisher_ids`,
  );
  const published = ids.filter((_, index) => index % 2 === 1).map((id) => `acc_1own-${id}${id}true`);
  expect(copied.toSorted()).toEqual(published.toSorted());
});

it('is the one to give up where a transaction holds deliveries and wants events', async () => {
  await seedOld(1);
  const holder = new Client({ connectionString: url });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from deliveries');
    const migrating = migrate(url, logger, target, soon);
    const waiting = () =>
      column<number>(
        `select count(*)::int as value from pg_locks where not granted and relation = 'deliveries'::regclass`,
      );
    await expect.poll(waiting, { interval: 5 }).toEqual([1]);
    // Waits for the migration, which waits for this transaction: none of them is a victim.
    await holder.query('select from events');
    await holder.query('commit');
    await migrating;
  } finally {
    await holder.end();
  }
});

it('bounds the first partition behind every id, also of a clock that was ahead', async () => {
  const ahead = `${idBound('evt', new Date(Date.now() + 300 * DAY_MS))}0000000000000000`;
  const [old] = await seedOld(1);
  await client.query(
    `insert into events (id, account_id, type, resource_id, payload, created_at) values ($1, 'acc_1', 't', 'r', '{}', now())`,
    [ahead],
  );
  await migrate(url, logger, target, soon);
  expect(await column('select id as value from events_first order by id')).toEqual([old, ahead]);
  // A later id is no error: it goes to the default partition.
  const later = `${idBound('evt', new Date(Date.now() + 900 * DAY_MS))}0000000000000000`;
  await client.query(
    `insert into events (id, account_id, type, resource_id, payload, created_at) values ($1, 'acc_1', 't', 'r', '{}', now())`,
    [later],
  );
  expect(await column('select id as value from events_default')).toEqual([later]);
});
