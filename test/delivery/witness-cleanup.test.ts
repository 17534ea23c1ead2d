import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { EpochStore } from '../../src/delivery/epochs/epoch-store.js';
import { Epochs } from '../../src/delivery/epochs/epochs.js';
import { openFileWitness } from '../../src/delivery/epochs/file-witness.js';
import { WitnessCleanup } from '../../src/delivery/epochs/witness-cleanup.js';
import { nothingKnown, type NumberMark, type Witness } from '../../src/delivery/epochs/witness.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { createLogger } from '../../src/logging/logger.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { seedAccount, seedDestination } from './support/seed.js';

const logger = createLogger('fatal');
let store: Store;
let lanes: LaneStore;
let accountId: string;
let folder: string;
let witness: Witness;
beforeAll(async () => {
  store = await createTestStore();
  lanes = new LaneStore(store.db, targetLimits);
  accountId = await seedAccount(store);
});
afterAll(() => store.close());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'waybill-cleanup-'));
  witness = openFileWitness(path.join(folder, 'witness.json'));
  await check();
  return () => rm(folder, { recursive: true });
});

const record = () => new EpochStore(store.db).read();
const check = () => new Epochs({ db: store.db, witness, logger }).check();
const cleanUp = () => new WitnessCleanup(store.db, witness, logger).run();
const seeded = async () => (await seedDestination(store, new SecretStore(testKeyRing()), lanes, accountId)).id;
const note = (id: string, mark: NumberMark) => witness.add({ ...nothingKnown, lanes: new Map([[id, mark]]) });
const remove = (id: string) => store.pool.query('delete from resources where id = $1', [id]);
const marked = async () => [...(await witness.read()).lanes.keys()];

/** Takes a lane and the count of cleanups back to the moment of the call, as a restore of files does. */
async function backup(id: string): Promise<() => Promise<void>> {
  const { cleanups } = await record();
  const copies = new Map<string, unknown>();
  for (const [table, key] of [
    ['resources', 'id'],
    ['delivery_lanes', 'destination_id'],
  ] as const)
    copies.set(table, (await store.pool.query(`select * from ${table} where ${key} = $1`, [id])).rows[0]);
  return async () => {
    for (const [table, row] of copies)
      await store.pool.query(`insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`, [
        JSON.stringify(row),
      ]);
    await store.pool.query('update installation set witness_cleanups = $1, recorded_by = pg_current_xact_id()', [
      cleanups,
    ]);
  };
}

it('removes the marks of deleted destinations and leaves the others', async () => {
  const { epoch } = await record();
  const [kept, gone] = [await seeded(), await seeded()];
  await store.pool.query('update delivery_lanes set next_sequence = 2 where destination_id = $1', [kept]);
  await note(kept, { epoch, sequence: 1 });
  await note(gone, { epoch, sequence: 1 });
  // Nothing is gone yet, so nothing is counted.
  const before = await record();
  expect(await cleanUp()).toBe(0);
  expect(await record()).toEqual(before);

  await remove(gone);
  expect(await cleanUp()).toBe(1);
  expect(await marked()).toEqual([kept]);
  expect(await record()).toEqual({ ...before, cleanups: before.cleanups + 1 });
  await check();
  expect((await record()).epoch).toBe(epoch);
});

it('notices a restore to a time before the removal, although the marks of the lane are gone', async () => {
  const { epoch } = await record();
  const id = await seeded();
  const restore = await backup(id);
  await note(id, { epoch, sequence: 20 });
  await remove(id);
  await cleanUp();
  expect(await marked()).not.toContain(id);

  await restore();
  await check();
  const after = await record();
  expect(after.epoch).toBeGreaterThan(epoch);
  expect((await store.pool.query('select reason from installation')).rows).toEqual([{ reason: 'numbers_lost' }]);
  // The loss is on record now, and is no sign of another one.
  await check();
  expect((await record()).epoch).toBe(after.epoch);
});

it('notices a restore to a time between a deletion and the removal, also when it is a second one', async () => {
  const id = await seeded();
  for (let round = 0; round < 2; round += 1) {
    const { epoch } = await record();
    await note(`ed_gone${round}`, { epoch, sequence: 3 });
    const restore = await backup(id);
    await cleanUp();
    await remove(id);
    await restore();
    await check();
    expect((await record()).epoch).toBeGreaterThan(epoch);
  }
});

it('removes nothing while claims are fenced: the database may be an older one', async () => {
  const { epoch } = await record();
  await note('ed_gone', { epoch, sequence: 3 });
  await store.pool.query(
    `update installation set server_started_at = '2020-01-01', recorded_by = pg_current_xact_id()`,
  );
  const before = await record();
  expect(await cleanUp()).toBe(0);
  expect(await marked()).toContain('ed_gone');
  expect(await record()).toEqual(before);
  await check();
  expect(await cleanUp()).toBe(1);
  expect(await record()).toMatchObject({ admitted: true, epoch });
});
