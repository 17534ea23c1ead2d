import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { Canceller } from '../../src/delivery/cancellation/canceller.js';
import { DeletedLaneStore } from '../../src/delivery/cancellation/deleted-lane-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { DeliveryViewStore } from '../../src/delivery/views/delivery-view-store.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
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
  const shown = await views.ofEvent(accountId, event, page);
  expect(new Map(shown.map((view) => [view.destinationId, view.state]))).toEqual(
    new Map([
      [kept.id, 'pending'],
      [deleted.id, 'cancelled'],
    ]),
  );
  const cancelled = await views.find(accountId, deleted.id, event);
  expect(cancelled).toMatchObject({ state: 'cancelled', error: { code: 'destination_deleted' } });
  expect(cancelled?.finishedAt).toBeInstanceOf(Date);
  await canceller.cancel(control);
  expect(await views.find(accountId, deleted.id, event)).toMatchObject({ state: 'cancelled', error: cancelled?.error });
});

it('cancels a large backlog in chunks, and nothing that is finished or of another destination', async () => {
  const [kept, deleted] = [await destination(), await destination()];
  const [first] = await seedEvents(store, [kept, deleted], 1);
  await store.pool.query(`update deliveries set state = 'delivered', finished_at = now() where event_id = $1`, [first]);
  await seedEvents(store, [kept, deleted], 2_500);
  await remove(deleted);
  expect(await canceller.cancel(control)).toBe(2_500);
  expect(await states(deleted)).toEqual(new Set(['delivered null', 'cancelled destination_deleted']));
  expect(await states(kept)).toEqual(new Set(['delivered null', 'pending null']));
  expect(await canceller.cancel(control)).toBe(0);
});

it('continues in the next turn when the process stops', async () => {
  const deleted = await destination();
  await seedEvents(store, [deleted], 3);
  await remove(deleted);
  expect(await canceller.cancel({ ...control, stopped: AbortSignal.abort() })).toBe(0);
  expect(await canceller.cancel(control)).toBe(3);
});

it('cancels also a delivery that commits after the deletion, and forgets the destination then', async () => {
  const deleted = await destination();
  const [event] = await seedEvents(store, [await destination()], 1);
  const writer = new Client({ connectionString: store.connectionString });
  await writer.connect();
  await writer.query('begin');
  await writer.query(
    'insert into deliveries (event_id, destination_id, account_id, created_at) values ($1, $2, $3, now())',
    [event, deleted.id, accountId],
  );
  await remove(deleted);
  await canceller.cancel(control);
  await writer.query('commit');
  await writer.end();
  await store.pool.query(`update deleted_lanes set deleted_at = now() - interval '10 minutes'`);
  expect(await canceller.cancel(control)).toBe(1);
  expect(await states(deleted)).toEqual(new Set(['cancelled destination_deleted']));
  expect((await store.pool.query('select from deleted_lanes')).rowCount).toBe(0);
});
