import fc from 'fast-check';
import { readDatabaseTime } from '../../../../src/database/database-time.js';
import type { ModelLane } from './ledger.js';
import { held, index, laneStep, rarely, type Run } from './step.js';

/** A destination is paused. */
export const paused = fc.tuple(index, held).map(([which, holds]) =>
  laneStep(
    `pause${holds > 0 ? ', held,' : ''}`,
    ({ pause, change }) => pause === null && change === null,
    async (lane, { ledger, world }) => {
      lane.change = 'pause';
      await world.start(`pause lane ${ledger.lanes.indexOf(lane) + 1}`, holds, async ({ db, lanes }) => {
        await db.transaction().execute(async (trx) => lanes.pause(trx, lane.id, await readDatabaseTime(trx)));
        lane.changed();
      });
    },
    which,
  ),
);

/** Ends the pause of a lane. The process may die between the commit and the dispatch. */
export async function unpause(
  lane: ModelLane,
  { ledger, world }: Pick<Run, 'ledger' | 'world'>,
  dies: boolean,
  holds: number,
): Promise<void> {
  lane.change = 'unpause';
  const label = `end the pause of lane ${ledger.lanes.indexOf(lane) + 1}`;
  await world.start(label, holds, async ({ db, lanes, dispatcher }) => {
    await db.transaction().execute((trx) => lanes.unpause(trx, lane.id));
    if (dies) lane.needsSweeper = true;
    else await dispatcher.resume(lane.id);
    await dispatcher.idle();
    lane.changed();
    return dies ? 'and the process dies' : undefined;
  });
}

/** The pause of a destination is ended. */
export const unpaused = fc.tuple(index, rarely, held).map(([which, dies, holds]) =>
  laneStep(
    `end the pause${holds > 0 ? ', held,' : ''}`,
    ({ pause }) => pause !== null,
    (lane, run) => unpause(lane, run, dies, holds),
    which,
  ),
);
