import { readFile } from 'node:fs/promises';
import { startSandbox } from '@waybill/sandbox';
import {
  CheckpointError,
  checkpointText,
  cosignaturesOf,
  EMPTY_ROOT,
  hashLeaf,
  hashNode,
  leafData,
  openCheckpoint,
  parseCosigner,
  TILE_WIDTH,
  tilePath,
  vkeyOf,
} from '@waybill/verify';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { Epochs } from '../../src/delivery/epochs/epochs.js';
import { FinishedDays } from '../../src/delivery/finished/finished-days.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { checkpointEvent } from '../../src/events/catalogue/checkpoint-event.js';
import { epochStartedEvent } from '../../src/events/catalogue/epoch-started-event.js';
import { createLogger } from '../../src/logging/logger.js';
import { CosigningStore } from '../../src/proof/cosigning-store.js';
import { Cosigning } from '../../src/proof/cosigning.js';
import { LogReader } from '../../src/proof/log-reader.js';
import { LogSealer } from '../../src/proof/log-sealer.js';
import { LogStore } from '../../src/proof/log-store.js';
import { openLogKeys, type LogKeys } from '../../src/secrets/log-keys.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { seedAccount, seedDestination, seedEvents, type SeededDestination } from '../delivery/support/seed.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';

const ring = testKeyRing();
const logger = createLogger('silent');
const settings = {
  PROOF_LOG_NAME: 'log.test',
  PUBLIC_URL: undefined,
  SERVICE_DOMAINS: [],
  PROOF_SIGNER: undefined,
  PROOF_SIGNER_KEY: undefined,
};
const DAY_MS = 86_400_000;
const control = { stopped: new AbortController().signal, progressed: () => {} };

let store: Store;
let keys: LogKeys;
let lanes: LaneStore;
let accountId: string;
let destination: SeededDestination;

beforeAll(async () => {
  store = await createTestStore({ poolSize: 10 });
  keys = await openLogKeys(store.db, ring, settings, logger);
  lanes = new LaneStore(store.db, targetLimits);
  await new Epochs({ db: store.db, witness: null, logger }).check();
  accountId = await seedAccount(store);
  // Every note that a commit has made visible, whatever happens to the log later.
  await store.pool.query(`
    create table notes (log_id bigint, size bigint, note text);
    create function keep_note() returns trigger language plpgsql as $$ begin
      if new.note is distinct from old.note then
        insert into notes values (new.id, new.signed_size, new.note);
      end if;
      return null;
    end $$;
    create trigger keep_note after update on proof_logs for each row execute function keep_note();`);
});
afterAll(() => store.close());

beforeEach(async () => {
  await store.pool.query('delete from proof_logs; delete from notes; delete from delivery_lanes');
  destination = await seedDestination(store, new SecretStore(ring), lanes, accountId);
});

function sealer(mostLeaves = 7): LogSealer {
  const dispatcher = { notify: () => {} };
  return new LogSealer({ db: store.db, keys, dispatcher, logger, checkpointMs: 0, isCosigned: true, mostLeaves });
}

/** Makes the log of the destination, and each log due. */
async function open(): Promise<void> {
  await new LogStore(store.db).due(1_000, 0);
}

/** Finishes or numbers what waits for the destination: `states` has one state for each delivery, in order. */
async function record(states: readonly string[], first?: number): Promise<void> {
  const { rows } = await store.pool.query<{ id: number }>(
    'select id from deliveries where destination_id = $1 and sequence is null order by id limit $2',
    [destination.id, states.length],
  );
  const { rows: lane } = await store.pool.query<{ next: number }>(
    'select next_sequence as next from delivery_lanes where destination_id = $1',
    [destination.id],
  );
  let next = first ?? lane[0]?.next ?? 1;
  for (const [index, state] of states.entries()) {
    const id = rows[index]?.id;
    if (state === 'pending') {
      await store.pool.query('update deliveries set sequence = $2 where id = $1', [id, next]);
    } else {
      await store.pool.query(
        `with gone as (delete from deliveries where id = $1 returning *)
         insert into finished_deliveries (id, sequence, created_at, finished_at, attempts, event_id, destination_id,
                                          account_id, state, backfill_id)
         select id, $2, created_at, now(), 1, event_id, destination_id, account_id, $3, backfill_id from gone`,
        [id, next, state],
      );
    }
    next += 1;
  }
  await store.pool.query(
    'update delivery_lanes set next_sequence = greatest(next_sequence, $2) where destination_id = $1',
    [destination.id, next],
  );
}

async function deliver(count: number, state = 'delivered'): Promise<void> {
  await seedEvents(store, [destination], count);
  await record(Array.from({ length: count }, () => state));
}

/** Makes steps until nothing changes. */
async function settle(one = sealer()): Promise<void> {
  while (await one.step(destination.id));
}

/** The leaves that the recorded numbers of the destination make, from a number on. */
async function leavesFrom(first: number, end = Infinity): Promise<readonly Uint8Array[]> {
  const { rows } = await store.pool.query<{ sequence: number; backfill: boolean; commitment: Buffer }>(
    `select d.sequence, d.backfill_id is not null as backfill, e.commitment
     from all_deliveries d join events e on e.id = d.event_id
     where d.destination_id = $1 and d.sequence >= $2 order by d.sequence`,
    [destination.id, first],
  );
  return rows
    .filter(({ sequence }) => sequence < end)
    .map(({ sequence, backfill, commitment }) => hashLeaf(leafData({ sequence, isBackfill: backfill, commitment })));
}

/** The definition of RFC 6962, section 2.1, as it is written. */
function naiveRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves;
  if (only === undefined) return EMPTY_ROOT;
  if (leaves.length === 1) return only;
  let left = 1;
  while (left * 2 < leaves.length) left *= 2;
  return hashNode(naiveRoot(leaves.slice(0, left)), naiveRoot(leaves.slice(left)));
}

async function logs() {
  const { rows } = await store.pool.query<{
    id: number;
    epoch: number;
    first_sequence: number;
    size: number;
    root: Buffer;
    signed_size: number;
    is_open: boolean;
  }>('select * from proof_logs where destination_id = $1 order by epoch', [destination.id]);
  return rows;
}

/** Checks every note that was ever committed against the leaves of its log. */
async function expectOneHistory(leaves: readonly Uint8Array[], epoch = 1): Promise<number> {
  const { rows } = await store.pool.query<{ note: string }>(
    `select n.note from notes n join proof_logs on id = n.log_id where epoch = $1`,
    [epoch],
  );
  for (const { note } of rows) {
    const { origin, size, root } = openCheckpoint(note, await keys.all());
    expect(origin).toBe(`log.test/${destination.id}/${epoch}`);
    const expected = { origin, size, root: naiveRoot(leaves.slice(0, size)) };
    expect(checkpointText({ origin, size, root })).toBe(checkpointText(expected));
  }
  return rows.length;
}

const checkpointsWaiting = async () => {
  const { rows } = await store.pool.query<{ count: number }>(
    `select count(*)::int as count from all_deliveries d join events e on e.id = d.event_id
     where d.destination_id = $1 and e.type = $2`,
    [destination.id, checkpointEvent.type],
  );
  return rows[0]?.count;
};

it('has a leaf for each recorded number, whatever its outcome, and none for others', async () => {
  await seedEvents(store, [destination], 9);
  await store.pool.query(`update deliveries set backfill_id = 'b' where id = (select min(id) from deliveries)`);
  await record(['delivered', 'rejected', 'pending', 'expired']);
  await record(['delivered'], 6);
  await open();
  await settle();
  // 5 is not recorded.
  expect(await logs()).toMatchObject([{ first_sequence: 1, size: 4, signed_size: 4, is_open: true }]);
  await record(['delivered'], 5);
  await settle();
  expect(await logs()).toMatchObject([{ size: 6, signed_size: 6 }]);
  expect(await expectOneHistory(await leavesFrom(1))).toBe(2);
});

it('is the tree of the definition after each step, with all of its tiles', async () => {
  await open();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 }), async (counts) => {
      await beforeEachRun();
      const reader = new LogReader(store.db, keys);
      for (const count of counts) {
        await deliver(count);
        await open();
        await settle(sealer(23));
        const leaves = await leavesFrom(1);
        const [log] = await logs();
        expect(log?.root).toEqual(Buffer.from(naiveRoot(leaves.slice(0, log?.size))));
        const { path, first, end } = lastTile(log?.signed_size ?? 0);
        const tile = await reader.tile(accountId, destination.id, '1', path);
        expect(tile).toEqual(Buffer.concat(leaves.slice(first, end)));
      }
      await expectOneHistory(await leavesFrom(1));
    }),
    // The first ends with a tree of 256 leaves: its last tile is full.
    { numRuns: 8, examples: [[[55, 11, 53, 29, 59, 49]]] },
  );
});

/** The last tile of leaves of a tree of this size, at least 1: it is full, or partial. */
function lastTile(size: number) {
  const index = Math.floor((size - 1) / TILE_WIDTH);
  const first = index * TILE_WIDTH;
  return { path: tilePath({ level: 0, index, width: size - first }).slice('tile/'.length), first, end: size };
}

async function beforeEachRun(): Promise<void> {
  await store.pool.query('delete from proof_logs; delete from notes; delete from delivery_lanes');
  destination = await seedDestination(store, new SecretStore(ring), lanes, accountId);
}

it('is not signed for nothing but its own checkpoints', async () => {
  await deliver(3);
  await open();
  await settle();
  expect(await checkpointsWaiting()).toBe(1);
  await record(['delivered']);
  await settle();
  expect(await logs()).toMatchObject([{ size: 4, signed_size: 3 }]);
  expect(await checkpointsWaiting()).toBe(1);
  expect(await new LogStore(store.db).due(10, 0)).toEqual([]);
});

it('is not signed without a leaf, also after a step that failed', async () => {
  await seedEvents(store, [destination], 1);
  await store.pool.query(
    `update delivery_lanes set batch_id = 'b', batch_first_sequence = 1, next_sequence = 2 where destination_id = $1`,
    [destination.id],
  );
  await open();
  await new LogStore(store.db).delay(destination.id, 0);
  await settle();
  expect(await logs()).toMatchObject([{ size: 0, note: null }]);
  expect(await new LogStore(store.db).lag()).toEqual({ logs: 0, oldestSeconds: 0 });
  // One that was signed before is served.
  await store.pool.query(`update proof_logs set note = 'a note' where destination_id = $1`, [destination.id]);
  expect(await new LogReader(store.db, keys).checkpoint(accountId, destination.id, '1', false)).toBe('a note');
});

it('never signs two histories, with two workers at once that are killed between and within steps', async () => {
  await deliver(1);
  await open();
  let kills = 0;
  const worker = async (): Promise<void> => {
    for (let step = 0; step < 60; step += 1)
      await sealer(5)
        .step(destination.id)
        .catch(() => (kills += 1));
  };
  const killer = async (): Promise<void> => {
    for (let round = 0; round < 30; round += 1) {
      await store.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query ~ 'proof_' and pid <> pg_backend_pid()`,
      );
      await deliver(4);
    }
  };
  await Promise.all([worker(), worker(), killer()]);
  await settle();
  const leaves = await leavesFrom(1);
  expect(await logs()).toMatchObject([{ size: leaves.length }]);
  expect(await expectOneHistory(leaves)).toBeGreaterThan(1);
  expect(leaves.length).toBeGreaterThan(100);
  expect(kills).toBeGreaterThan(0);
}, 120_000);

it('is changed only in place of the size and root that were read', async () => {
  await deliver(3);
  await open();
  await store.db.transaction().execute(async (trx) => {
    const logStore = new LogStore(trx);
    const log = await logStore.lock(destination.id);
    if (!log) throw new Error('The log is not locked.');
    const grown = {
      size: 1,
      root: EMPTY_ROOT,
      isUnsigned: true,
      note: null,
      isCosigned: false,
      ends: false,
      isComplete: false,
      againMs: 0,
    };
    await expect(logStore.grow({ ...log, size: 1 }, grown, [])).rejects.toThrow('changed by another process');
    await expect(logStore.grow({ ...log, root: Buffer.alloc(32) }, grown, [])).rejects.toThrow('changed by another');
    expect(await new LogStore(store.db).due(10, 0)).toEqual([destination.id]);
    // Locked: another worker does nothing.
    expect(await sealer().step(destination.id)).toBe(false);
  });
});

it('signs extensions of the same history after a restore of an older state', async () => {
  await deliver(10);
  await open();
  await settle();
  await store.pool.query(`
    create table old_logs as select * from proof_logs;
    create table old_tiles as select * from proof_tiles;`);
  await deliver(10);
  await settle();
  const whole = await leavesFrom(1);
  const size = (await logs())[0]?.size ?? 0;
  await store.pool.query(`
    delete from proof_tiles;
    update proof_logs l set size = o.size, root = o.root, note = o.note, signed_size = o.signed_size from old_logs o;
    insert into proof_tiles select * from old_tiles;`);
  await deliver(1);
  await settle(sealer(3));
  expect((await logs())[0]?.size).toBeGreaterThan(size);
  expect((await leavesFrom(1)).slice(0, whole.length)).toEqual(whole);
  expect(await expectOneHistory(await leavesFrom(1))).toBeGreaterThan(2);
});

it('that was rewritten and signed again with the real key is not cosigned, and so found', async () => {
  const sandbox = await startSandbox();
  const { vkey } = sandbox.cosigner;
  sandbox.cosigner.trust((await keys.all()).map((key) => vkeyOf(key)).join('\n'));
  const cosigners = [{ vkey, url: `${sandbox.url}/cosigner` }];
  const cosigning = new Cosigning({ db: store.db, logger, cosigners, intervalMs: 1_000 });
  const reader = new LogReader(store.db, keys);
  const cosigned = async (isCosigned: boolean) => reader.checkpoint(accountId, destination.id, '1', isCosigned);
  const countOf = (note: string) => cosignaturesOf(note, [parseCosigner(vkey)]).length;
  await deliver(10);
  await open();
  await settle();
  await cosigning.run(control);
  const first = await cosigned(true);
  expect(await cosigned(false)).toBe(first);
  expect(countOf(first)).toBe(1);
  await deliver(3);
  await settle();
  await cosigning.run(control);
  const last = await cosigned(false);
  expect(countOf(last)).toBe(1);
  expect(openCheckpoint(last, await keys.all()).size).toBeGreaterThan(openCheckpoint(first, await keys.all()).size);
  expect(await store.pool.query('select from proof_logs where cosign_at is not null')).toMatchObject({ rowCount: 0 });

  // Whoever writes to the database changes an event, and lets the log grow from its beginning.
  await store.pool.query(`
    update events set commitment = sha256('another') where id = (
      select event_id from all_deliveries where destination_id = '${destination.id}' and sequence = 2);
    delete from proof_logs;`);
  await open();
  await settle();
  await deliver(3);
  await settle();
  await cosigning.run(control);
  const forged = await cosigned(false);
  const { size, root } = openCheckpoint(forged, await keys.all());
  expect(Buffer.from(root)).toEqual(Buffer.from(naiveRoot((await leavesFrom(1)).slice(0, size))));
  expect(countOf(forged)).toBe(0);
  await expect(cosigned(true)).rejects.toThrow('No checkpoint of the log has a cosignature');
  expect(sandbox.cosigner.sizes()).toMatchObject({
    [`log.test/${destination.id}/1`]: openCheckpoint(last, await keys.all()).size,
  });
  expect(sandbox.calls()).toContainEqual(expect.objectContaining({ target: 'cosigner', status: 422 }));
  // Once the log has ended, it is sent for a day.
  await store.pool.query(
    `update proof_logs set is_open = false, signed_at = now() - interval '25 hours', cosign_at = now()`,
  );
  await cosigning.run(control);
  expect(await store.pool.query('select from proof_logs where cosign_at is not null')).toMatchObject({ rowCount: 0 });
  await sandbox.close();
});

it('keeps the cosignatures that another process has stored while a round was paused', async () => {
  await deliver(3);
  await open();
  await settle();
  const cosignatures = new CosigningStore(store.db);
  const take = async () => {
    await store.pool.query('update proof_logs set cosign_at = now()');
    const [log] = await cosignatures.take(10);
    if (!log) throw new Error('No log is due.');
    return log;
  };
  const paused = await take();
  await cosignatures.put(await take(), 'two cosignatures', true);
  await cosignatures.put(paused, 'one', false);
  const { rows } = await store.pool.query('select cosigned_note, cosign_at from proof_logs');
  expect(rows).toEqual([{ cosigned_note: 'two cosignatures', cosign_at: null }]);
});

it('is signed at once after the clock of the database was set back', async () => {
  await deliver(3);
  await open();
  await store.pool.query(`
    update proof_logs set next_at = now() + interval '1 hour', signed_at = now() + interval '1 hour'`);
  const parts = { db: store.db, keys, dispatcher: { notify: () => {} }, logger, isCosigned: false };
  await new LogSealer({ ...parts, checkpointMs: 60_000 }).run(control);
  expect(await logs()).toMatchObject([{ size: 3, signed_size: 3 }]);
});

it('ends with its epoch, and the log of the next one begins', async () => {
  await deliver(5);
  await open();
  await sealer().step(destination.id);
  await deliver(4);
  await seedEvents(store, [destination], 3);
  await store.pool.query(
    `update delivery_lanes set epoch = 77, epoch_first_sequence = next_sequence,
       earlier_epochs = '[{"epoch": 1, "first_sequence": 1}]' where destination_id = $1`,
    [destination.id],
  );
  const { rows } = await store.pool.query<{ first: number }>(
    'select epoch_first_sequence as first from delivery_lanes where destination_id = $1',
    [destination.id],
  );
  const first = rows[0]?.first ?? 0;
  await record(['delivered', 'delivered', 'delivered']);
  await settle(sealer(4));
  expect(await logs()).toMatchObject([
    { epoch: 1, size: first - 1, signed_size: first - 1, is_open: false },
    { epoch: 77, first_sequence: first, size: 3, signed_size: 3, is_open: true },
  ]);
  await expectOneHistory(await leavesFrom(1, first), 1);
  await expectOneHistory(await leavesFrom(first), 77);
});

it('ends with its destination, signed to the last recorded number', async () => {
  await deliver(5);
  await open();
  await settle();
  await record(['delivered']);
  await seedEvents(store, [destination], 2);
  await record(['rejected']);
  await sql`delete from resources where id = ${destination.id}`.execute(store.db);
  expect(await new LogStore(store.db).due(10, 0)).toEqual([destination.id]);
  await settle(sealer(1));
  expect(await logs()).toMatchObject([{ size: 7, signed_size: 7, is_open: false }]);
  await expectOneHistory(await leavesFrom(1));
  expect(await checkpointsWaiting()).toBe(1);
  expect(await new LogStore(store.db).due(10, 0)).toEqual([]);
  const checkpoint = await new LogReader(store.db, keys).checkpoint(accountId, destination.id, '1', false);
  expect(openCheckpoint(checkpoint, await keys.all())).toMatchObject({ size: 7 });
});

it('ends before the marker of the next epoch when its destination was deleted since', async () => {
  await deliver(5);
  await open();
  await settle();
  const [first] = await logs();
  await record(['delivered']);
  await seedEvents(store, [destination], 1, { type: epochStartedEvent.type });
  await record(['delivered']);
  await deliver(3);
  await sql`delete from resources where id = ${destination.id}`.execute(store.db);
  await settle();
  const size = (first?.size ?? 0) + 1;
  expect(await logs()).toMatchObject([{ size, signed_size: size, is_open: false }]);
});

it('does not grow on a server that is not known', async () => {
  await deliver(2);
  await open();
  const setStart = (value: string) => store.pool.query(`update installation set server_started_at = ${value}`);
  await setStart(`'2020-01-01'`);
  expect(await sealer().step(destination.id)).toBe(false);
  await store.pool.query(
    'update installation set server_started_at = pg_postmaster_start_time(), recorded_by = pg_current_xact_id()',
  );
  expect(await sealer().step(destination.id)).toBe(true);
});

it('grows without a signature, does not end, and is signed when the signer answers again', async () => {
  let answers = false;
  const { db } = store;
  const failing = {
    logName: keys.logName,
    all: () => keys.all(),
    signing: async () =>
      (await keys.signing()).map((key) => ({
        ...key,
        sign: async (text: string) => {
          if (!answers) throw new Error('The signer does not answer.');
          return key.sign(text);
        },
      })),
  };
  const parts = { dispatcher: { notify: () => {} }, logger, checkpointMs: 0, isCosigned: false };
  const one = () => new LogSealer({ db, keys: failing, ...parts });
  await deliver(3);
  await open();
  expect(await one().step(destination.id)).toBe(true);
  expect(await logs()).toMatchObject([{ size: 3, signed_size: 0, is_open: true }]);
  expect((await new LogStore(db).lag()).logs).toBe(1);
  await sql`delete from resources where id = ${destination.id}`.execute(db);
  await one().step(destination.id);
  expect(await logs()).toMatchObject([{ size: 3, signed_size: 0, is_open: true }]);
  expect(await new LogStore(db).due(10, 0)).toEqual([destination.id]);
  answers = true;
  await one().step(destination.id);
  expect(await logs()).toMatchObject([{ size: 3, signed_size: 3, is_open: false }]);
  await expectOneHistory(await leavesFrom(1));
});

it('continues with another key after the steps of docs/secrets.md for a lost one', async () => {
  const page = await readFile(new URL('../../docs/secrets.md', import.meta.url), 'utf8');
  const [, steps] = /```sql\s+(select distinct log_name [^`]*)```/.exec(page) ?? [];
  if (steps === undefined) throw new Error('The page has no steps.');
  const checkpoint = async (isCosigned = false) =>
    new LogReader(store.db, keys).checkpoint(accountId, destination.id, '1', isCosigned);
  await deliver(5);
  await open();
  await settle();
  await store.pool.query('update proof_logs set cosigned_note = note, cosigned_size = signed_size, cosign_at = now()');
  const old = await keys.all();
  const before = await checkpoint(true);
  await store.pool.query(`update log_keys set ciphertext = ''`);
  await deliver(3);
  await settle();
  expect(await logs()).toMatchObject([{ size: 5, signed_size: 5 }]);

  const results = (await store.pool.query(steps)) as unknown as readonly { readonly rows: readonly object[] }[];
  const [named] = results;
  expect(named?.rows).toEqual([{ log_name: 'log.test' }]);
  expect(await new CosigningStore(store.db).take(10)).toEqual([]);
  keys = await openLogKeys(store.db, ring, settings, logger);
  await settle();
  const { size, root } = openCheckpoint(await checkpoint(), await keys.all());
  expect(size).toBe(8);
  expect(Buffer.from(root)).toEqual(Buffer.from(naiveRoot((await leavesFrom(1)).slice(0, size))));
  await expect(checkpoint(true)).rejects.toThrow('No checkpoint of the log has a cosignature');
  // The old checkpoint needs the old key, which auditors keep.
  expect(openCheckpoint(before, old)).toMatchObject({ size: 5 });
  await expect(async () => openCheckpoint(before, await keys.all())).rejects.toThrow(CheckpointError);
});

it('says how far checkpoints are behind, with and without a leaf', async () => {
  const logStore = new LogStore(store.db);
  expect(await logStore.lag()).toEqual({ logs: 0, oldestSeconds: 0 });
  await deliver(3);
  await store.pool.query(`update finished_deliveries set finished_at = now() - interval '1 hour'`);
  // No log was made.
  expect(await logStore.lag()).toMatchObject({ logs: 1, oldestSeconds: expect.closeTo(3_600, -3) });
  await open();
  await settle();
  expect(await logStore.lag()).toEqual({ logs: 0, oldestSeconds: 0 });
  await deliver(3);
  await store.pool.query(`update finished_deliveries set finished_at = now() - interval '1 hour'`);
  expect(await logStore.lag()).toEqual({ logs: 0, oldestSeconds: 0 });
  await store.pool.query(`update proof_logs set complete_at = now() - interval '2 hours'`);
  expect(await logStore.lag()).toMatchObject({ logs: 1, oldestSeconds: expect.closeTo(3_600, -3) });
  // In the log, and not signed.
  const { db } = store;
  const parts = { dispatcher: { notify: () => {} }, logger, checkpointMs: 86_400_000, isCosigned: false };
  await new LogSealer({ db, keys, ...parts }).step(destination.id);
  await store.pool.query(`update proof_logs set unsigned_since = unsigned_since - interval '30 minutes'`);
  expect(await logStore.lag()).toMatchObject({ logs: 1, oldestSeconds: expect.closeTo(1_800, -3) });
  await settle();
  expect(await logStore.lag()).toEqual({ logs: 0, oldestSeconds: 0 });
});

/** Makes a step after the tables were changed and two events were delivered. Returns what is logged. */
async function growAfter(change: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const logged = createLogger('warn', { write: (line) => lines.push(line) });
  await store.pool.query(change);
  await deliver(2);
  const parts = { db: store.db, keys, dispatcher: { notify: () => {} }, checkpointMs: 0, isCosigned: false };
  await new LogSealer({ ...parts, logger: logged }).step(destination.id);
  return lines.flatMap((line) => {
    const { msg, err, log } = JSON.parse(line);
    return [msg, err?.message, log].filter((one) => one !== undefined);
  });
}

const CHANGED = 'the tables of a log were changed: it is not signed until they are restored';

it.each([
  ['size', 'update proof_logs set size = size - 1', 'The tile at the edge of level 0 has'],
  ['size beyond the numbers', 'update proof_logs set size = size + 1000', 'The tile at the edge of level 0 has'],
  ['root', `update proof_logs set root = sha256('another')`, 'The tiles at the edge do not lead to the root'],
  [
    'tile',
    `update proof_tiles set hashes = sha256('x') || substr(hashes, 33) where level = 0 and index = 1`,
    'The tiles at the edge do not lead to the root',
  ],
  ['tile that was removed', 'delete from proof_tiles where index = 1', 'The tile at the edge of level 0 has 0 bytes'],
  [
    'tree, with its root and size',
    `update proof_tiles set hashes = sha256('x') where level = 0 and index = 0;
     delete from proof_tiles where index > 0 or level > 0;
     update proof_logs set size = 1, root = sha256('x')`,
    'The log does not begin with the leaves of its last checkpoint',
  ],
  [
    'checkpoint, to one of another size',
    `update proof_logs set signed_size = signed_size - 1`,
    'The last checkpoint is of log.test/',
  ],
  [
    'checkpoint, to one that is not signed',
    `update proof_logs set note = replace(note, E'\n260\n', E'\n259\n'), signed_size = 259`,
    'was changed or made by another',
  ],
])('does not sign a log with another %s in the tables, and says so', async (_, change, message) => {
  await deliver(260);
  await open();
  await settle(sealer(4_096));
  const [before] = await logs();
  expect(before).toMatchObject({ size: 260, signed_size: 260 });
  await store.pool.query('create table saved_logs as select * from proof_logs');
  await store.pool.query('create table saved_tiles as select * from proof_tiles');
  try {
    const logged = await growAfter(change);
    expect(logged).toEqual([CHANGED, expect.stringContaining(message), `log.test/${destination.id}/1`]);
    expect((await logs())[0]?.root).not.toEqual(naiveRoot(await leavesFrom(1)));
    expect(await new LogStore(store.db).lag()).toMatchObject({ logs: 1 });
    expect(await new LogStore(store.db).due(10, 0)).toEqual([destination.id]);
    // Restored, it grows and is signed.
    await store.pool.query(`
      delete from notes where size = 259;
      delete from proof_tiles; insert into proof_tiles select * from saved_tiles;
      update proof_logs g set size = s.size, root = s.root, note = s.note, signed_size = s.signed_size from saved_logs s`);
    await settle(sealer(4_096));
    expect(await logs()).toMatchObject([{ size: 262, signed_size: 262 }]);
    expect(await expectOneHistory(await leavesFrom(1))).toBeGreaterThan(1);
    expect(await new LogStore(store.db).lag()).toMatchObject({ logs: 0 });
  } finally {
    await store.pool.query('drop table saved_logs; drop table saved_tiles');
  }
});

it('signs leaves that were appended without a signature only if they extend the last checkpoint', async () => {
  await deliver(300);
  await open();
  await settle(sealer(4_096));
  const unsigned = { logName: keys.logName, all: () => keys.all(), signing: async () => [] };
  const parts = { db: store.db, dispatcher: { notify: () => {} }, logger, checkpointMs: 0, isCosigned: false };
  await deliver(400);
  await new LogSealer({ ...parts, keys: unsigned }).step(destination.id);
  expect(await logs()).toMatchObject([{ size: 700, signed_size: 300 }]);
  // A leaf that the checkpoint has, and that the edge has no more.
  const logged = await growAfter(`update proof_tiles set hashes = sha256('x') || substr(hashes, 33)
    where level = 0 and index = 1`);
  expect(logged).toEqual([CHANGED, expect.stringContaining('does not begin with the leaves'), expect.anything()]);
});

it('says that a log is behind whose next delivery was removed', async () => {
  await deliver(3);
  await open();
  await settle();
  const removed = `delete from finished_deliveries where destination_id = '${destination.id}' and sequence = 5`;
  await deliver(3);
  await store.pool.query(`update proof_logs set complete_at = now() - interval '2 hours'`);
  expect(await growAfter(removed)).toEqual([
    'a log cannot grow: the delivery of its next number was removed',
    `log.test/${destination.id}/1`,
  ]);
  await settle();
  expect(await logs()).toMatchObject([{ size: 4 }]);
  const logStore = new LogStore(store.db);
  expect(await logStore.lag()).toMatchObject({ logs: 1, oldestSeconds: expect.closeTo(7_200, -3) });
  expect(await logStore.unlogged(3_600_000)).toBe(destination.id);
});

it('says that a log is behind that was closed, and not that of a batch in flight', async () => {
  await deliver(3);
  await open();
  await settle();
  await store.pool.query(`update proof_logs set complete_at = now() - interval '2 hours'`);
  // Two numbers of a batch that is being sent.
  await store.pool.query(
    `update delivery_lanes set batch_id = 'b', batch_first_sequence = next_sequence, next_sequence = next_sequence + 2
     where destination_id = $1`,
    [destination.id],
  );
  const logStore = new LogStore(store.db);
  expect(await logStore.lag()).toEqual({ logs: 0, oldestSeconds: 0 });
  await sealer().step(destination.id);
  const complete = `select from proof_logs where complete_at > now() - interval '1 hour'`;
  expect(await store.pool.query(complete)).toMatchObject({ rowCount: 1 });
  // Its deliveries may be removed by the retention.
  await store.pool.query('delete from finished_deliveries where destination_id = $1', [destination.id]);
  await store.pool.query(`update proof_logs set is_open = false, complete_at = now() - interval '2 hours'`);
  expect(await logStore.lag()).toMatchObject({ logs: 1, oldestSeconds: expect.closeTo(7_200, -3) });
  expect(await logStore.closed(10)).toEqual([destination.id]);
  const lines: string[] = [];
  const logged = createLogger('warn', { write: (line) => lines.push(line) });
  const parts = { db: store.db, keys, dispatcher: { notify: () => {} }, checkpointMs: 0, isCosigned: false };
  await new LogSealer({ ...parts, logger: logged }).run(control);
  expect(lines.join('')).toContain('the log of a destination was closed although the destination exists');
});

it('keeps what is due of finished deliveries until all that are as old are in it', async () => {
  await deliver(2);
  await open();
  await settle();
  await deliver(1);
  // Another delivery, which finished long ago: outside of the days, where rows are removed one by one.
  await store.pool.query(
    `insert into finished_deliveries (id, created_at, finished_at, attempts, event_id, destination_id, account_id, state)
     values (1000000, now() - interval '40 days', now() - interval '40 days', 1, 'evt_00', 'other', 'other', 'expired')`,
  );
  const logStore = new LogStore(store.db);
  const days = new FinishedDays(store.db, 30 * DAY_MS, logger, (ms) => logStore.unlogged(ms));
  expect(await logStore.unlogged(30 * DAY_MS)).toBeNull();
  await store.pool.query(`update proof_logs set complete_at = now() - interval '35 days'`);
  expect(await logStore.unlogged(30 * DAY_MS)).toBe(destination.id);
  expect(await days.run(control)).toMatchObject({ removed: 0 });
  await settle();
  expect(await days.run(control)).toMatchObject({ removed: 1 });
});
