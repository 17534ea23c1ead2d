import { assert } from 'vitest';
import { deliveriesOf } from '../seed.js';
import { laneStates, redeliveredEvents } from './lane-rows.js';
import { letTimePass, redeliverRange, sweep } from './lane-steps.js';
import type { Ledger, ModelLane } from './ledger.js';
import { Operations } from './operations.js';
import { unpause } from './pause-steps.js';
import { expectWokenUp } from './wake-ups.js';
import type { LaneWorld } from './world.js';
import { endWriter } from './writer-steps.js';

/** Rounds of a drain: a round delivers a batch of each lane, and a run has some tens of deliveries. */
const MAX_ROUNDS = 200;

/** Ends a run: everything is committed, then delivered, with the sweeper's help, and what was missed is redelivered. */
export async function drain(ledger: Ledger, world: LaneWorld): Promise<void> {
  await world.releaseAll();
  while (ledger.writers[0]) await endWriter(ledger, ledger.writers[0], 'commit');
  for (const lane of ledger.lanes) await unpause(lane, { ledger, world }, false, 0);
  await deliverAll(ledger, world);
  for (const lane of ledger.lanes) {
    if (!lane.mayExpire) await expectNoneExpired(world, lane);
    for (const state of ['rejected', 'expired'] as const) await redeliverRange(lane, state, 0, { world });
  }
  await deliverAll(ledger, world);
  for (const lane of ledger.lanes) {
    const rows = await deliveriesOf(world, lane.id);
    lane.consumer.expectComplete(rows, lane.changes, await redeliveredEvents(world.db, lane.id));
  }
}

/** Checks that no delivery has expired of a lane whose deadlines stood still: time has passed in its pauses only. */
async function expectNoneExpired(world: LaneWorld, { id }: ModelLane): Promise<void> {
  const rows = await deliveriesOf(world, id);
  assert.deepEqual(
    rows.filter(({ state }) => state === 'expired'),
    [],
    'a pause expires nothing',
  );
}

/** Delivers everything to destinations that accept it. The sweeper looks only when no job can do anything. */
async function deliverAll(ledger: Ledger, world: LaneWorld): Promise<void> {
  const operations = new Operations(world, ledger);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = ledger.attempts.length;
    for (const lane of ledger.lanes) {
      for (const attempt of lane.attempts) {
        if (attempt.isOver) continue;
        // Recorded by the attempt behind it.
        if (attempt.successor) await operations.advance(attempt.successor, true, false, 0);
        else await operations.settle(attempt, [], true, 0);
      }
      while (lane.followUps.length > 0) await operations.followUp(lane, 0, 0);
    }
    await expectWokenUp(ledger, world);
    for (const lane of ledger.lanes) {
      for (const batchId of ledger.jobsOf(lane)) await operations.lease(lane, batchId, false, 0);
    }
    await expectWokenUp(ledger, world);
    if (ledger.attempts.length > before || ledger.attempts.some(({ isOver }) => !isOver)) continue;
    const ids = ledger.lanes.map(({ id }) => id);
    const states = await laneStates(world.db, ids);
    if (states.every(({ has_pending, batch_id }) => !has_pending && batch_id === null)) return;
    for (const lane of ledger.lanes) await letTimePass(lane, { ledger, world });
    await sweep({ world }, 0);
  }
  throw new Error('the lanes do not drain');
}
