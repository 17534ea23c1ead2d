import { openErasure } from '@waybill/verify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { Epochs } from '../../src/delivery/epochs/epochs.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { RedeliveryStore } from '../../src/delivery/redelivery/redelivery-store.js';
import { ErasureRunner, type ErasureRunnerParts } from '../../src/erasures/erasure-runner.js';
import { sealErasure } from '../../src/erasures/erasure-seal.js';
import { ErasureStore, type Erasure } from '../../src/erasures/erasure-store.js';
import { erasureEvent } from '../../src/events/catalogue/erasure-event.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import { LogSealer } from '../../src/proof/log-sealer.js';
import { LogStore } from '../../src/proof/log-store.js';
import { KeyRing } from '../../src/secrets/key-ring.js';
import { openLogKeys, type LogKeys } from '../../src/secrets/log-keys.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { until } from '../../tools/harness/until.js';
import { seedAccount, seedDestination, seedEvents, type SeededDestination } from '../delivery/support/seed.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';

const ring = testKeyRing();
const logger = createLogger('silent');
const dispatcher = { notify: () => {} };
const control = { stopped: new AbortController().signal, progressed: () => {} };

let store: Store;
let keys: LogKeys;
let lanes: LaneStore;
let accountId: string;
let destination: SeededDestination;

beforeAll(async () => {
  store = await createTestStore({ poolSize: 10 });
  const config = { PROOF_LOG_NAME: 'log.test', PUBLIC_URL: undefined, SERVICE_DOMAINS: [] };
  keys = await openLogKeys(store.db, ring, config, logger);
  lanes = new LaneStore(store.db, targetLimits);
  await new Epochs({ db: store.db, witness: null, logger }).check();
});
afterAll(() => store.close());

beforeEach(async () => {
  accountId = await seedAccount(store);
  destination = await seedDestination(store, new SecretStore(ring), lanes, accountId);
});

const runner = (parts: Partial<ErasureRunnerParts> = {}) =>
  new ErasureRunner({ db: store.db, ring, keys, dispatcher, logger, mostErased: 2, againMs: 0, ...parts });

/** Records and delivers events; their log has them. Returns their ids. */
async function deliver(count: number): Promise<readonly string[]> {
  const ids = await seedEvents(store, [destination], count);
  await store.pool.query(
    `with ended as (delete from deliveries where destination_id = $1 and sequence is null returning *)
     insert into finished_deliveries (id, event_id, destination_id, account_id, state, sequence, attempts, created_at, finished_at)
     select id, event_id, destination_id, account_id, 'delivered', $2 - 1 + row_number() over (order by id), 1, created_at, now()
     from ended`,
    [destination.id, (await nextNumber()) ?? 1],
  );
  await store.pool.query('update delivery_lanes set next_sequence = next_sequence + $2 where destination_id = $1', [
    destination.id,
    count,
  ]);
  const sealer = new LogSealer({ db: store.db, keys, dispatcher, logger, checkpointMs: 0, isCosigned: false });
  await new LogStore(store.db).due(1_000, 0);
  while (await sealer.step(destination.id));
  return ids;
}

async function nextNumber() {
  const { rows } = await store.pool.query<{ next: number }>(
    'select next_sequence as next from delivery_lanes where destination_id = $1',
    [destination.id],
  );
  return rows[0]?.next;
}

/** Requests the erasure of the account's events. */
function request(types: readonly string[] = [], to: Date | null = null): Promise<Erasure> {
  const principal = { id: 'usr_1', name: 'Ada' };
  return new ErasureStore(store.db).create(
    {
      accountId,
      kind: 'account',
      subject_id: null,
      types,
      to,
      reason: 'a test',
      principal,
    },
    (row) => sealErasure(ring, row),
  );
}

const progress = async ({ id }: Erasure) => (await new ErasureStore(store.db).find(accountId, id)) ?? null;

/** Runs until an erasure is finished: it begins when the transactions of other tests have ended. */
async function finish(erasure: Erasure, one = runner()): Promise<void> {
  const isFinished = async () => {
    await one.run(control);
    return (await progress(erasure))?.state === 'finished';
  };
  await until(isFinished, 'the erasure is finished');
}

const erasedOf = async (ids: readonly string[]) => {
  const { rows } = await store.pool.query<{ id: string }>(
    `select id from events where id = any($1) and erasure_id is not null and payload = '' and salt is null`,
    [ids],
  );
  return rows.length;
};

/** Returns the ranges in the records of an erasure. */
async function recorded({ id }: Pick<Erasure, 'id'>) {
  const { rows } = await store.pool.query<{ note: string }>(
    'select note from erasure_records where erasure_id = $1 order by id',
    [id],
  );
  const all = await keys.all();
  return rows.map(({ note }) => openErasure(note, all)).map(({ origin, ranges }) => ({ origin, ranges }));
}

/** Delivers events, and erases them: their numbers are kept, and none is recorded. */
async function keepNumbers(count: number): Promise<Erasure> {
  await deliver(count);
  const erasure = await request();
  await failing('erasure_records', 'insert', () => untilRecorded(erasure));
  expect(await recorded(erasure)).toEqual([]);
  return erasure;
}

/** Runs until the records of an erasure are due, and tries to make them. */
async function untilRecorded(erasure: Erasure): Promise<void> {
  await until(async () => {
    await runner().run(control);
    return (await progress(erasure))?.state === 'recording';
  }, 'the records are due');
  await runner().run(control);
}

/** Runs `work` while the statements that match fail. */
async function failing(table: string, event: string, work: () => Promise<void>): Promise<void> {
  await store.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before ${event} on ${table} for each row execute function refuse();`);
  try {
    await work();
  } finally {
    await store.pool.query(`drop trigger refuse on ${table}; drop function refuse`);
  }
}

it('a step that fails changes nothing, and one that follows a stop continues', async () => {
  const ids = await deliver(5);
  const erasure = await request();
  const begun = runner();
  const failed = async () => {
    await begun.run(control);
    const { rows } = await store.pool.query('select from erasures where id = $1 and due_at > created_at', [erasure.id]);
    return rows.length > 0;
  };
  // The last statement of a step: it has erased, and kept the numbers.
  await failing('erasures', 'update of erased', () => until(failed, 'a step has failed'));
  expect(await erasedOf(ids)).toBe(0);
  expect(await progress(erasure)).toMatchObject({ erased: 0, after_id: '' });
  expect((await store.pool.query('select from erased_numbers')).rowCount).toBe(0);

  const stop = new AbortController();
  await until(async () => {
    await begun.run({ stopped: stop.signal, progressed: () => stop.abort() });
    return stop.signal.aborted;
  }, 'a step was made');
  expect([await erasedOf(ids), (await progress(erasure))?.erased]).toEqual([2, 2]);

  await failing('erasure_records', 'insert', () => untilRecorded(erasure));
  expect(await recorded(erasure)).toEqual([]);
  await finish(erasure);
  expect(await progress(erasure)).toMatchObject({ erased: 5, waiting: 0, subject_id: null });
  expect(await erasedOf(ids)).toBe(5);
  expect(await recorded(erasure)).toEqual([{ origin: `log.test/${destination.id}/1`, ranges: [[0, 5]] }]);
  expect((await store.pool.query('select from erased_numbers')).rowCount).toBe(0);
});

it('an erasure takes what an api process with a faster clock has recorded, and ends before a time that was asked for', async () => {
  const ids = await deliver(2);
  const [first, last] = ids;
  await store.pool.query(`update events set created_at = now() + interval '1 second' where id = $1`, [last]);
  const { rows } = await store.pool.query<{ at: Date }>('select created_at as at from events where id = $1', [first]);
  const bounded = await request([], rows[0]?.at);
  await finish(bounded);
  expect(await erasedOf(ids)).toBe(0);
  await finish(await request());
  expect(await erasedOf(ids)).toBe(2);
});

it('an erasure does not wait for all of another account', async () => {
  for (let count = 0; count < 30; count += 1) await request(['none.v0']);
  accountId = await seedAccount(store);
  const other = await request(['none.v0']);
  let due: readonly string[] = [];
  await until(async () => {
    due = await new ErasureStore(store.db).due(100);
    return due.includes(other.id);
  }, 'the erasure is due');
  expect(due).toHaveLength(11);
  expect(due.slice(0, 2)).toContain(other.id);
});

/** Runs until an erasure has ended. Returns its state and what was logged. */
async function ended(erasure: Pick<Erasure, 'id'>) {
  const lines: string[] = [];
  const logged = createLogger('error', { write: (line) => lines.push(line) });
  const state = async () => {
    const { rows } = await store.pool.query<{ state: string }>('select state from erasures where id = $1', [
      erasure.id,
    ]);
    return rows[0]?.state ?? '';
  };
  await until(async () => {
    await runner({ logger: logged }).run(control);
    return ['finished', 'failed'].includes(await state());
  }, 'the erasure has ended');
  return { state: await state(), logged: lines.map((line) => JSON.parse(line).msg) };
}

it('an erasure that was written to the database is not carried out, and none of its numbers is signed', async () => {
  const ids = await deliver(3);
  const written = { id: newId('ers') };
  await store.pool.query(
    `insert into erasures (id, account_id, state, kind, types, to_time, reason, principal_id, principal_subject, horizon)
     values ($1, $2, 'recording', 'account', '{}', now(), 'none', 'usr_1', 'Ada', '1')`,
    [written.id, accountId],
  );
  await store.pool.query('update events set erasure_id = $1 where id = $2', [written.id, ids[1]]);
  await store.pool.query(
    `insert into erased_numbers (erasure_id, destination_id, sequence, event_id) values ($1, $2, 2, $3)`,
    [written.id, destination.id, ids[1]],
  );
  const message = 'an erasure is not as it was asked for: it is not carried out';
  expect(await ended(written)).toEqual({ state: 'failed', logged: [message] });
  expect(await recorded(written)).toEqual([]);
  expect(await erasedOf(ids)).toBe(0);
  const { rowCount } = await store.pool.query('select from events where account_id = $1 and type = $2', [
    accountId,
    erasureEvent.type,
  ]);
  expect(rowCount).toBe(0);
  await store.pool.query('delete from erased_numbers');
});

it.each([
  `reason = 'another'`,
  `to_time = to_time + interval '1 hour'`,
  `principal_subject = 'Bob'`,
  `types = '{ip_policy_created.v0}'`,
  `kind = 'object', subject_id = 'ipp_1'`,
  `created_at = created_at - interval '1 hour'`,
  `nonce = null`,
])('an erasure that was changed in the database is not carried out: %s', async (change) => {
  const ids = await deliver(2);
  const erasure = await request();
  await store.pool.query(`update erasures set ${change} where id = $1`, [erasure.id]);
  expect(await ended(erasure)).toMatchObject({ state: 'failed' });
  expect(await erasedOf(ids)).toBe(0);
  expect(await recorded(erasure)).toEqual([]);
});

it('a process that lacks the key of an erasure leaves it to others', async () => {
  const ids = await deliver(2);
  const erasure = await request();
  const lacking = runner({ ring: KeyRing.parse(`other:${Buffer.alloc(32).toString('base64')}`) });
  await until(async () => {
    await lacking.run(control);
    const tried = 'select from erasures where id = $1 and (due_at > created_at or finished_at is not null)';
    return (await store.pool.query(tried, [erasure.id])).rowCount === 1;
  }, 'the process has tried a step');
  expect(await progress(erasure)).toMatchObject({ state: 'erasing', erased: 0 });
  await finish(erasure);
  expect(await erasedOf(ids)).toBe(2);
});

it('a number is recorded only if its event was erased by the erasure', async () => {
  const ids = await deliver(4);
  await store.pool.query(`update events set type = $2 where id = any($1)`, [ids.slice(2), 'mta_sts_created.v0']);
  const erasure = await request(['ip_policy_created.v0']);
  const other = await deliver(1);
  const add = (sequence: number, event: string | undefined) =>
    store.pool.query(
      'insert into erased_numbers (erasure_id, destination_id, sequence, event_id) values ($1, $2, $3, $4)',
      [erasure.id, destination.id, sequence, event],
    );
  // Of an event that is not erased, that says so without being named, and under the event of another number.
  await add(3, ids[2]);
  await store.pool.query('update events set erasure_id = $1 where id = $2', [erasure.id, ids[3]]);
  await add(4, ids[3]);
  await add(6, ids[0]);
  // Of an event without a delivery, while the retention has removed none.
  await store.pool.query('delete from finished_deliveries where event_id = $1', [ids[1]]);
  await add(2, ids[1]);
  const message = 'numbers are not recorded as erased: their events are not';
  expect(await ended(erasure)).toEqual({ state: 'failed', logged: [message] });
  expect(await recorded(erasure)).toEqual([{ origin: `log.test/${destination.id}/1`, ranges: [[0, 1]] }]);
  expect(await erasedOf([...ids, ...other])).toBe(2);
  await store.pool.query('delete from erased_numbers');
});

it('a number is recorded although the retention has removed its delivery, unless it has removed its event', async () => {
  const erasure = await keepNumbers(2);
  await store.pool.query('delete from finished_deliveries where destination_id = $1', [destination.id]);
  await store.pool.query(`insert into retention_marks (kind, complete_since) values ('deliveries', now())`);
  await store.pool.query(`
    delete from events where id = (select event_id from erased_numbers where sequence = 1)`);
  expect(await ended(erasure)).toEqual({ state: 'finished', logged: [] });
  expect(await recorded(erasure)).toEqual([{ origin: `log.test/${destination.id}/1`, ranges: [[1, 2]] }]);
});

it('a number of a log that has ended is kept until its record', async () => {
  const erasure = await keepNumbers(2);
  await store.pool.query('delete from delivery_lanes where destination_id = $1', [destination.id]);
  await store.pool.query('update proof_logs set is_open = false where destination_id = $1', [destination.id]);
  // The log may have got it since the step looked for numbers.
  expect(await new ErasureStore(store.db).awaitsLogs(erasure)).toBe(true);
  await finish(erasure);
  expect(await recorded(erasure)).toEqual([{ origin: `log.test/${destination.id}/1`, ranges: [[0, 2]] }]);
});

it('a number is recorded in the log that has it, after an epoch without numbers', async () => {
  await store.pool.query(
    `update delivery_lanes set epoch = 77, earlier_epochs = '[{"epoch": 1, "first_sequence": 1}]'
     where destination_id = $1`,
    [destination.id],
  );
  const ids = await deliver(3);
  const erasure = await request();
  await finish(erasure);
  expect(await erasedOf(ids)).toBe(3);
  expect(await recorded(erasure)).toEqual([{ origin: `log.test/${destination.id}/77`, ranges: [[0, 3]] }]);
});

it('several processes erase each event once', async () => {
  const ids = await deliver(9);
  const erasure = await request();
  await Promise.all([finish(erasure), finish(erasure), finish(erasure)]);
  expect(await progress(erasure)).toMatchObject({ erased: 9 });
  expect(await erasedOf(ids)).toBe(9);
  expect(await recorded(erasure)).toEqual([{ origin: `log.test/${destination.id}/1`, ranges: [[0, 9]] }]);
});

it('an event that is being redelivered is not erased before it is delivered', async () => {
  const ids = await deliver(2);
  const redeliveries = new RedeliveryStore(store.db);
  const found = await redeliveries.find(accountId, destination.id, ids);
  // Requested before: an erasure does not begin before the transactions end that are older.
  const erasure = await request();
  const lane = await store.pool.connect();
  await lane.query('begin');
  await lane.query('select from delivery_lanes where destination_id = $1 for update', [destination.id]);
  const waiting = async (event: string) => {
    const { rowCount } = await store.pool.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and wait_event = $1 and datname = current_database()",
      [event],
    );
    return rowCount !== 0;
  };
  const redelivered = redeliveries.redeliver(destination.id, [...found.values()]);
  await until(() => waiting('transactionid'), 'the redelivery waits for the lane');
  const stop = new AbortController();
  const erasing = (async () => {
    while (!stop.signal.aborted) await runner().run({ ...control, stopped: stop.signal });
  })();
  await until(() => waiting('advisory'), 'the erasure waits for the redelivery');
  await lane.query('commit');
  lane.release();
  expect(await redelivered).toBe(2);
  await until(async () => (await progress(erasure))?.waiting === 2, 'both events wait');
  expect(await erasedOf(ids)).toBe(0);
  stop.abort();
  await erasing;
  await store.pool.query(
    `with ended as (delete from deliveries where destination_id = $1 and sequence is not null returning *)
     insert into finished_deliveries (id, event_id, destination_id, account_id, state, sequence, attempts, created_at, finished_at)
     select id, event_id, destination_id, account_id, 'delivered', sequence, 1, created_at, now() from ended`,
    [destination.id],
  );
  await finish(erasure);
  expect(await erasedOf(ids)).toBe(2);
  expect(await redeliveries.redeliver(destination.id, [...found.values()])).toBe(0);
});
