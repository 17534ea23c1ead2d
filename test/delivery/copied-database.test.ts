import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { Epochs } from '../../src/delivery/epochs/epochs.js';
import { LaneStartStore } from '../../src/delivery/epochs/lane-start-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { EpochStarts } from '../../src/delivery/recovery/epoch-starts.js';
import { recordEpochMarkers } from '../../src/events/fan-out/epoch-markers.js';
import { createLogger } from '../../src/logging/logger.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { laneOf, seedAccount, seedDestination, seedEvents } from './support/seed.js';

const logger = createLogger('fatal');
let store: Store;
let lanes: LaneStore;
let accountId: string;
beforeAll(async () => {
  store = await createTestStore();
  lanes = new LaneStore(store.db, targetLimits);
  accountId = await seedAccount(store);
});
afterAll(() => store.close());

/** Makes the data a copy that has other sequences: they begin again. */
async function copied(): Promise<void> {
  await store.pool.query(`
    update installation set recorded_by = '3';
    alter sequence deliveries_id_seq restart;
    alter sequence delivery_attempts_id_seq restart;
    alter sequence fan_out_parts_id_seq restart;
    alter sequence proof_logs_id_seq restart;`);
}

const startLanes = () =>
  new EpochStarts({
    laneStarts: new LaneStartStore(store.db),
    witness: null,
    recordMarkers: recordEpochMarkers,
    dispatcher: { addJob: () => Promise.resolve() },
    logger,
  }).run();

const check = () => new Epochs({ db: store.db, witness: null, logger }).check();
const seeded = () => seedDestination(store, new SecretStore(testKeyRing()), lanes, accountId);
const lastValue = async (table: string) =>
  Number((await store.pool.query(`select last_value from ${table}_id_seq`)).rows[0].last_value);

describe('a copy of the database without its sequences', () => {
  it('gives later events higher ids than those of the copy, in every table that draws ids', async () => {
    const destination = await seeded();
    const before = await seedEvents(store, [destination], 5);
    await store.pool.query(
      `insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
       select $1, $2, 'ipp_1', '{}', now() from generate_series(1, 7)`,
      [before[0], accountId],
    );
    await store.pool.query(
      `insert into delivery_attempts (batch_id, destination_id, number, started_at, duration_ms, records, delivered, retried, rejected, outcome)
       select 'bat_1', $1, n, now(), 1, 1, 1, 0, 0, 'healthy' from generate_series(1, 9) n`,
      [destination.id],
    );
    await store.pool.query(
      `insert into proof_logs (destination_id, account_id, epoch, first_sequence, root, is_open, next_at)
       select $1, $2, -n, 1, '', false, now() from generate_series(1, 5) n`,
      [destination.id, accountId],
    );
    await copied();
    await check();
    await startLanes();
    const after = await seedEvents(store, [destination], 2);
    const { rows } = await store.pool.query(
      `select event_id from all_deliveries d join events e on e.id = d.event_id
       where destination_id = $1 and e.type = 'ip_policy_created.v0' order by d.id`,
      [destination.id],
    );
    expect(rows.map((row) => row.event_id)).toEqual([...before, ...after]);
    expect(await lastValue('fan_out_parts')).toBeGreaterThan(7);
    expect(await lastValue('delivery_attempts')).toBeGreaterThan(9);
    expect(await lastValue('proof_logs')).toBeGreaterThan(5);
  });

  it('finds the highest id of more lanes than one query reads', async () => {
    const destination = await seeded();
    await seedEvents(store, [destination], 1);
    await store.pool.query(
      `insert into resources (id, account_id, kind, attributes, created_at, updated_at)
       select 'ed_0' || n, $1, 'event_destination', '{}', now(), now() from generate_series(10000, 12500) n`,
      [accountId],
    );
    await store.pool.query(
      `insert into delivery_lanes (destination_id, account_id, target_kind)
       select 'ed_0' || n, $1, 'data_stream' from generate_series(10000, 12500) n`,
      [accountId],
    );
    const highest = await lastValue('deliveries');
    await copied();
    await check();
    expect(await lastValue('deliveries')).toBeGreaterThan(highest);
    await store.pool.query(`delete from resources where id like 'ed\\_0%'`);
  });

  it('leaves sequences that are not behind as they are', async () => {
    const destination = await seeded();
    await seedEvents(store, [destination], 3);
    const before = await lastValue('deliveries');
    await store.pool.query(`update installation set recorded_by = '3'`);
    await check();
    expect(await lastValue('deliveries')).toBe(before);
    await startLanes();
  });
});

describe('the floor of a lane', () => {
  it('begins anew with an epoch: no delivery stays below a floor of the copy', async () => {
    const destination = await seeded();
    await seedEvents(store, [destination], 2);
    await store.pool.query(
      `update delivery_lanes set floor_id = 9e15, next_floor_id = 9e15, next_floor_xid = '5' where destination_id = $1`,
      [destination.id],
    );
    const deleted = await seeded();
    await store.pool.query('update delivery_lanes set floor_id = 9e15 where destination_id = $1', [deleted.id]);
    await store.pool.query('delete from resources where id = $1', [deleted.id]);
    await copied();
    await check();
    await startLanes();
    expect(await laneOf(store, destination.id)).toMatchObject({
      floor_id: 0,
      next_floor_id: null,
      next_floor_xid: null,
    });
    const { rows } = await store.pool.query('select floor_id from deleted_lanes where destination_id = $1', [
      deleted.id,
    ]);
    expect(rows).toEqual([{ floor_id: 0 }]);
  });

  it('stays as it is while claims are fenced: an epoch starts in no lane then', async () => {
    const { id } = await seeded();
    await store.pool.query(`
      update installation set epoch = epoch + 1, server_started_at = '2020-01-01', recorded_by = pg_current_xact_id()`);
    const before = await laneOf(store, id);
    expect(await startLanes()).toBe(0);
    expect(await laneOf(store, id)).toEqual(before);
    await check();
    expect(await startLanes()).toBeGreaterThan(0);
  });
});
