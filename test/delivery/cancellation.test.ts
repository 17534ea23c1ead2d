import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { Canceller } from '../../src/delivery/cancellation/canceller.js';
import { DeletedLaneStore } from '../../src/delivery/cancellation/deleted-lane-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { DeliveryViewStore } from '../../src/destinations/deliveries/view/delivery-view-store.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { deliverNextPart } from './support/fan-outs.js';
import { finishDeliveries } from './support/finished.js';
import { deliveriesOf, seedAccount, seedDestination, seedEvents, type SeededDestination } from './support/seed.js';

const control = { stopped: new AbortController().signal, progressed: () => {} };
const page = { limit: 10, beforeId: undefined };
let store: Store;
let lanes: LaneStore;
let accountId: string;
let canceller: Canceller;

beforeAll(async () => {
  store = await createTestStore();
  lanes = new LaneStore(store.db, targetLimits);
  accountId = await seedAccount(store);
  canceller = new Canceller(new DeletedLaneStore(store.db), createLogger('silent'));
});
afterAll(() => store.close());

const destination = () => seedDestination(store, new SecretStore(testKeyRing()), lanes, accountId);

async function remove({ id }: SeededDestination): Promise<void> {
  await store.pool.query('delete from resources where id = $1', [id]);
}

async function states({ id }: SeededDestination): Promise<ReadonlySet<string>> {
  const rows = await deliveriesOf(store, id);
  return new Set(rows.map(({ state, error_code: code }) => `${state} ${code}`));
}

it('shows what waits for a deleted destination as cancelled at once, before anything is written', async () => {
  const [kept, deleted] = [await destination(), await destination()];
  const [event = ''] = await seedEvents(store, [kept, deleted], 1);
  await lanes.claim(deleted.id, newId('bat'));
  await remove(deleted);
  const views = new DeliveryViewStore(store.db);
  const { deliveries: shown } = await views.ofEvent(accountId, event, page);
  expect(new Map(shown.map((view) => [view.destinationId, view.state]))).toEqual(
    new Map([
      [kept.id, 'pending'],
      [deleted.id, 'cancelled'],
    ]),
  );
  const cancelled = await views.find(accountId, deleted.id, event);
  expect(cancelled).toMatchObject({ state: 'cancelled', error: { code: 'destination_deleted' } });
  expect(cancelled?.finishedAt).toBeInstanceOf(Date);
  await canceller.run(control);
  expect(await views.find(accountId, deleted.id, event)).toMatchObject({ state: 'cancelled', error: cancelled?.error });
});

it('cancels a large backlog in chunks, and nothing that is finished or of another destination', async () => {
  const [kept, deleted] = [await destination(), await destination()];
  await finishDeliveries(store, await seedEvents(store, [kept, deleted], 1), { state: 'delivered' });
  await seedEvents(store, [kept, deleted], 2_500);
  await remove(deleted);
  expect(await canceller.run(control)).toBe(2_500);
  expect(await states(deleted)).toEqual(new Set(['delivered null', 'cancelled destination_deleted']));
  expect(await states(kept)).toEqual(new Set(['delivered null', 'pending null']));
  expect(await canceller.run(control)).toBe(0);
});

it('does not let a destination wait for all deliveries of another', async () => {
  const [large, small] = [await destination(), await destination()];
  await seedEvents(store, [large], 2_500);
  await seedEvents(store, [small], 1);
  await remove(large);
  await remove(small);
  const stop = new AbortController();
  let chunks = 0;
  const progressed = (): void => {
    chunks += 1;
    if (chunks === 2) stop.abort();
  };
  expect(await canceller.run({ stopped: stop.signal, progressed })).toBe(1_001);
  expect(await states(small)).toEqual(new Set(['cancelled destination_deleted']));
  expect(await canceller.run(control)).toBe(1_500);
});

it('continues in the next turn when the process stops', async () => {
  const deleted = await destination();
  await seedEvents(store, [deleted], 3);
  await remove(deleted);
  expect(await canceller.run({ ...control, stopped: AbortSignal.abort() })).toBe(0);
  expect(await canceller.run(control)).toBe(3);
});

/** Lets so much time pass for the deletions, and for the fan-outs that wait. */
async function age(minutes: number): Promise<void> {
  await store.pool.query(`update deleted_lanes set deleted_at = deleted_at - make_interval(mins => $1)`, [minutes]);
  await store.pool.query(`update fan_out_parts set created_at = created_at - make_interval(mins => $1)`, [minutes]);
}

const remembered = async () => (await store.pool.query('select from deleted_lanes')).rowCount;

/** Opens a transaction that has inserted a delivery to the destination. */
async function lateWriter(to: SeededDestination): Promise<Client> {
  const [event] = await seedEvents(store, [await destination()], 1);
  const writer = new Client({ connectionString: store.connectionString });
  await writer.connect();
  await writer.query('begin');
  await writer.query(
    'insert into deliveries (event_id, destination_id, account_id, created_at) values ($1, $2, $3, now())',
    [event, to.id, accountId],
  );
  return writer;
}

it('cancels also a delivery that commits after the deletion, and forgets the destination then', async () => {
  const deleted = await destination();
  const writer = await lateWriter(deleted);
  await remove(deleted);
  await canceller.run(control);
  await writer.query('commit');
  await writer.end();
  await age(10);
  expect(await canceller.run(control)).toBe(1);
  expect(await states(deleted)).toEqual(new Set(['cancelled destination_deleted']));
  expect(await remembered()).toBe(0);
});

it('keeps a destination when the time of its last pass comes during an earlier pass', async () => {
  const deleted = await destination();
  const writer = await lateWriter(deleted);
  await remove(deleted);
  const lane = new DeletedLaneStore(store.db);
  const cancel = async (...args: Parameters<DeletedLaneStore['cancel']>) => {
    const chunk = await lane.cancel(...args);
    await writer.query('commit');
    await age(10);
    return chunk;
  };
  const slow = Object.assign(new DeletedLaneStore(store.db), { cancel });
  expect(await new Canceller(slow, createLogger('silent')).run(control)).toBe(0);
  await writer.end();
  expect(await canceller.run(control)).toBe(1);
  expect(await states(deleted)).toEqual(new Set(['cancelled destination_deleted']));
  expect(await remembered()).toBe(0);
});

it('continues behind deliveries that another process cancels at the same time', async () => {
  const deleted = await destination();
  await seedEvents(store, [deleted], 1_500);
  await remove(deleted);
  const other = new Client({ connectionString: store.connectionString });
  await other.connect();
  await other.query('begin');
  await other.query(
    `with cancelled as (
       delete from deliveries where id in (select id from deliveries where destination_id = $1 order by id limit 10)
       returning *
     )
     insert into finished_deliveries (id, event_id, destination_id, account_id, state, attempts, created_at, finished_at,
                                   error_code)
     select id, event_id, destination_id, account_id, 'cancelled', 0, created_at, now(), 'destination_deleted' from cancelled`,
    [deleted.id],
  );
  const cancelling = canceller.run(control);
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await store.pool.query(waiting)).rowCount).toBe(1);
  await other.query('commit');
  await other.end();
  expect(await cancelling).toBe(1_490);
  expect(await states(deleted)).toEqual(new Set(['cancelled destination_deleted']));
  await age(10);
  await canceller.run(control);
});

it('keeps a destination while a fan-out waits that was recorded during its deletion', async () => {
  const deleted = await destination();
  const remover = new Client({ connectionString: store.connectionString });
  await remover.connect();
  await remover.query('begin');
  await remover.query('select now()');
  // Recorded after the begin of the deletion. Before the deletion is committed, a change still sees the destination.
  const [event] = await seedEvents(store, [await destination()], 1);
  const record = (after: string) =>
    store.pool.query(
      `insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
       values ($1, $2, 'ipp_1', array[$3], clock_timestamp() + $4::interval)`,
      [event, accountId, deleted.id, after],
    );
  await record('0');
  await remover.query('delete from resources where id = $1', [deleted.id]);
  await remover.query('commit');
  await remover.end();
  await record('30 seconds');
  await canceller.run(control);
  await age(10);
  for (const _ of [1, 2]) {
    expect(await canceller.run(control)).toBe(0);
    expect(await remembered()).toBe(1);
    expect(await deliverNextPart(store.db)).toEqual([deleted.id]);
  }
  expect(await canceller.run(control)).toBe(2);
  expect(await remembered()).toBe(0);
});

it('does not wait for fan-outs of later changes', async () => {
  const deleted = await destination();
  await remove(deleted);
  await age(10);
  const [event] = await seedEvents(store, [await destination()], 1);
  await store.pool.query(
    `insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
     values ($1, $2, 'ipp_1', '{}', now())`,
    [event, accountId],
  );
  await canceller.run(control);
  expect(await remembered()).toBe(0);
  await store.pool.query('delete from fan_out_parts');
});
