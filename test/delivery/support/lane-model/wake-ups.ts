import { assert } from 'vitest';
import { laneStates, type LaneState } from './lane-rows.js';
import type { Ledger, ModelLane } from './ledger.js';
import type { LaneWorld } from './world.js';

/**
 * Checks that no wake-up is lost: when nothing is under way, and each writer and each release has made its look, no
 * committed delivery waits in an idle lane, and each batch has a job or an attempt. Only the sweeper wakes a lane whose
 * process died, or that was idle during its backoff. A paused lane is not woken, and takes nothing.
 */
export async function expectWokenUp(ledger: Ledger, world: LaneWorld): Promise<void> {
  if (ledger.operations > 0) return;
  const seen = ledger.lanes.filter(({ pause, followUps }) => pause !== null || followUps.length === 0);
  if (seen.length === 0) return;
  const states = await laneStates(
    world.db,
    seen.map(({ id }) => id),
  );
  for (const [position, lane] of seen.entries()) {
    const state = states[position];
    if (!state) throw new Error(`lane ${lane.id} is missing`);
    expectNothingTaken(lane, state);
    if (state.is_paused || lane.followUps.length > 0) continue;
    const isWoken = isUnderWay(state, lane, ledger);
    if (isWoken) lane.needsSweeper = false;
    else if (state.batch_id === null && state.in_backoff) lane.needsSweeper = true;
    else assert.strictEqual(lane.needsSweeper || state, true, `lane ${ledger.lanes.indexOf(lane) + 1} is woken up`);
  }
}

/** Checks that no delivery came into the batch of a lane since it was paused. */
function expectNothingTaken({ id, pause }: ModelLane, { is_paused: isPaused, batch }: LaneState): void {
  if (pause === null) return;
  assert.strictEqual(isPaused, true, `${id} is paused`);
  const before = pause.batch ?? new Set(batch);
  assert.deepEqual(
    batch.filter((delivery) => !before.has(delivery)),
    [],
    'nothing is claimed in a paused lane',
  );
  pause.batch = new Set(batch);
}

function isUnderWay(state: LaneState, lane: ModelLane, { queues }: Ledger): boolean {
  if (state.batch_id === null) return !state.has_pending;
  return (
    queues.jobs.has(state.batch_id) ||
    lane.attempts.some(({ isOver, isAbandoned, lease }) => !isOver && !isAbandoned && lease.batchId === state.batch_id)
  );
}
