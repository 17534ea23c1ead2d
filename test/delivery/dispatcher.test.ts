import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Dispatcher } from '../../src/delivery/dispatch/dispatcher.js';
import type { ClaimRequest } from '../../src/delivery/lanes/claim-statement.js';
import { LaneStore, type ClaimedBatch, type GroupedClaim } from '../../src/delivery/lanes/lane-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { until } from '../../tools/harness/until.js';
import { onPostgres } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { laneOf, seedEvents } from './support/seed.js';

/** Records each claim. A claim of several lanes waits for its gate before it begins. */
class GatedLanes extends LaneStore {
  readonly groups: string[][] = [];
  readonly alone: string[] = [];
  gate: Promise<void> = Promise.resolve();

  override async claimGroup(lanes: readonly ClaimRequest[]): Promise<readonly GroupedClaim[]> {
    this.groups.push(lanes.map(({ destinationId }) => destinationId));
    await this.gate;
    return super.claimGroup(lanes);
  }

  override async claim(destinationId: string, batchId: string): Promise<ClaimedBatch | null> {
    this.alone.push(destinationId);
    return super.claim(destinationId, batchId);
  }
}

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await Pipeline.open(onPostgres);
});
afterAll(() => pipeline.close());

const destinations = (count: number) => Promise.all(Array.from({ length: count }, () => pipeline.destination()));
const open = () => {
  const lanes = new GatedLanes(pipeline.store.db, targetLimits);
  return { lanes, dispatcher: new Dispatcher(lanes, pipeline.queues, pipeline.logger) };
};
const batchOf = async (id: string) => (await laneOf(pipeline.store, id)).batch_id;

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let openGate = (): void => {};
  const opened = new Promise<void>((resolve) => {
    openGate = resolve;
  });
  return { opened, open: openGate };
}

it('claims the lanes of a notification together, and adds the jobs of each kind in one call', async () => {
  const streams = await destinations(3);
  const monitoring = await pipeline.destination({ kind: 'monitoring' });
  const all = [...streams, monitoring];
  const ids = all.map(({ id }) => id);
  await seedEvents(pipeline.store, all, 2);
  const addBulk = vi.spyOn(pipeline.queues.queue('data_stream'), 'addBulk');
  const add = vi.spyOn(pipeline.queues.queue('monitoring'), 'add');
  const { lanes, dispatcher } = open();
  dispatcher.notify(ids);
  await dispatcher.idle();
  expect(lanes.groups).toEqual([ids]);
  expect(addBulk.mock.calls.map(([jobs]) => jobs.length)).toEqual([3]);
  expect(add).toHaveBeenCalledTimes(1);
  for (const { id, kind } of all) {
    const job = await pipeline.queues.queue(kind).getJob((await batchOf(id)) ?? '');
    expect(job?.data).toMatchObject({ destinationId: id, events: [{ sequence: 1 }, { sequence: 2 }] });
  }
});

it('claims a lane again that was notified while it was being claimed, and once for all calls that wait', async () => {
  const [first, second] = (await destinations(2)).map(({ id }) => id);
  if (first === undefined || second === undefined) throw new Error('no destinations');
  const { lanes, dispatcher } = open();
  const { opened, open: openGate } = gate();
  lanes.gate = opened;
  dispatcher.notify([first]);
  await until(() => lanes.groups.length === 1, 'the first claim begins');
  dispatcher.notify([second]);
  await until(() => lanes.groups.length === 2, 'the second claim begins');
  // Its deliveries may be younger than the snapshot of the claim under way.
  dispatcher.notify([first, second]);
  dispatcher.notify([first]);
  openGate();
  await dispatcher.idle();
  expect(lanes.groups).toEqual([[first], [second], [first, second]]);
});

it('claims alone what a group leaves: a lane that is locked, and one with many deliveries', async () => {
  const [locked, large, small] = await destinations(3);
  if (!locked || !large || !small) throw new Error('no destinations');
  await seedEvents(pipeline.store, [locked, small], 1);
  await seedEvents(pipeline.store, [large], 30);
  const { lanes, dispatcher } = open();
  await pipeline.store.db.transaction().execute(async (trx) => {
    await sql`select from delivery_lanes where destination_id = ${locked.id} for update`.execute(trx);
    dispatcher.notify([locked.id, large.id, small.id]);
    await until(async () => (await batchOf(small.id)) !== null, 'the small lane is claimed');
    await until(async () => (await batchOf(large.id)) !== null, 'the large lane is claimed');
    // Neither do later claims wait for the lock.
    const [later] = await destinations(1);
    if (!later) throw new Error('no destination');
    await seedEvents(pipeline.store, [later], 1);
    dispatcher.notify([later.id]);
    await until(async () => (await batchOf(later.id)) !== null, 'a later lane is claimed');
    expect(await batchOf(locked.id)).toBeNull();
  });
  await dispatcher.idle();
  expect(await batchOf(locked.id)).not.toBeNull();
  expect(lanes.alone.toSorted()).toEqual([locked.id, large.id].toSorted());
});

it('leaves a batch whose job cannot be added to the sweeper, and adds the jobs of the other kinds', async () => {
  const [stream, other] = await destinations(2);
  const monitoring = await pipeline.destination({ kind: 'monitoring' });
  if (!stream || !other) throw new Error('no destinations');
  await seedEvents(pipeline.store, [stream, other, monitoring], 1);
  vi.spyOn(pipeline.queues.queue('data_stream'), 'addBulk').mockRejectedValueOnce(new Error('the store is full'));
  const { dispatcher } = open();
  const added = await Promise.all([stream.id, other.id, monitoring.id].map((id) => dispatcher.dispatch(id)));
  expect(added).toEqual([false, false, true]);
  expect(await batchOf(stream.id)).not.toBeNull();
});

it('counts a lane as under way until its claim alone has ended', async () => {
  const [locked] = await destinations(1);
  if (!locked) throw new Error('no destination');
  await seedEvents(pipeline.store, [locked], 1);
  const { lanes, dispatcher } = open();
  let isIdle = false;
  await pipeline.store.db.transaction().execute(async (trx) => {
    await sql`select from delivery_lanes where destination_id = ${locked.id} for update`.execute(trx);
    dispatcher.notify([locked.id]);
    const watch = async () => {
      await dispatcher.idle();
      isIdle = true;
    };
    void watch();
    await until(() => lanes.alone.length === 1, 'the claim alone begins');
    await sleep(50);
    expect(isIdle).toBe(false);
  });
  await until(() => isIdle, 'the dispatcher is idle');
  expect(await batchOf(locked.id)).not.toBeNull();
});
