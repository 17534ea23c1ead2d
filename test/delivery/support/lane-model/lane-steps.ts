import fc from 'fast-check';
import { DeadWorkerStore } from '../../../../src/delivery/recovery/dead-worker-store.js';
import { expireWaiting } from '../../../../src/delivery/recovery/expire-waiting.js';
import { passDeadline, passPausedDay, passTime } from './lane-rows.js';
import type { Ledger, ModelLane } from './ledger.js';
import { always, at, held, index, laneStep, seldomHeld, Step, type Run } from './step.js';
import { DEADLINE_MS } from './world.js';

/** The processes that work on a lane die. */
export const died = fc.tuple(index, fc.boolean()).map(([which, losesJobs]) =>
  laneStep(
    `the processes die${losesJobs ? ' and the jobs are lost,' : ''}`,
    ({ attempts, followUps }) => followUps.length > 0 || attempts.some(({ isLive }) => isLive),
    async (lane, { ledger }) => {
      lane.followUps = [];
      lane.needsSweeper = true;
      for (const attempt of lane.attempts) {
        attempt.isLive = false;
        attempt.isAbandoned = true;
      }
      if (losesJobs) for (const batchId of ledger.jobsOf(lane)) ledger.queues.jobs.delete(batchId);
      ledger.note(`the processes of a lane died${losesJobs ? ', its jobs are lost' : ''}`);
    },
    which,
  ),
);

/**
 * The presence of the worker that works on a lane is missing: another worker ends its lease and adds a job. The worker
 * has died, or lives and continues with what it had begun.
 */
export const orphaned = fc.tuple(index, fc.boolean(), seldomHeld).map(([which, lives, holds]) =>
  laneStep(
    `the leases of a worker that ${lives ? 'lives' : 'died'} are ended${holds > 0 ? ', held,' : ''}`,
    ({ attempts }) => attempts.some(({ isLive }) => isLive),
    async (lane, { ledger, world }) => {
      for (const attempt of lane.attempts) {
        attempt.isLive = false;
        attempt.isAbandoned ||= !lives;
      }
      if (!lives) {
        lane.followUps = [];
        lane.needsSweeper = true;
      }
      // The presence is a commit of its own. It waits for an earlier operation that holds the end of the same one.
      const heldTurns = holds > 0 ? holds + 1 : 0;
      await world.start(
        `end the leases of lane ${ledger.lanes.indexOf(lane) + 1}`,
        heldTurns,
        async ({ db, lanes }) => {
          await db
            .insertInto('worker_presences')
            .values({ id: lane.presenceId, instance: 'model' })
            .onConflict((row) => row.doNothing())
            .execute();
          const batches = await new DeadWorkerStore(db).endLeases(lane.presenceId);
          for (const { destinationId, batchId } of batches ?? []) {
            const events = await lanes.eventsOf({ destinationId, batchId });
            if (events.length > 0) ledger.queues.jobs.set(batchId, { destinationId, batchId, events });
          }
          return batches === null ? 'done by another' : String(batches.length);
        },
      );
    },
    which,
  ),
);

/** Lets an hour pass for a lane: attempts that were not renewed may not send any more. */
export async function letTimePass(lane: ModelLane, { ledger, world }: Pick<Run, 'ledger' | 'world'>): Promise<void> {
  for (const attempt of lane.attempts) attempt.isLive = false;
  const tokens = lane.attempts.map(({ lease }) => lease.token);
  const isAlone = ledger.operations === 0;
  await world.start(`an hour passes for lane ${ledger.lanes.indexOf(lane) + 1}`, 0, async ({ db }) => {
    const wasInBackoff = await passTime(db, lane.id, tokens);
    if (wasInBackoff || !isAlone) lane.needsSweeper = true;
  });
}

/** An hour passes for a lane. */
export const passed = index.map((which) => laneStep('an hour passes', always, letTimePass, which));

/**
 * A day passes in a pause: the lease of an attempt lasts some seconds, and so does the time from a claim behind a batch
 * until it is sent.
 */
function mayPassPausedDay({ attempts }: ModelLane, { operations }: Ledger): boolean {
  return operations === 0 && attempts.every(({ isOver, behind }) => isOver || behind === null);
}

/** The deadline of what is pending passes. In a pause it stands still. */
export const overdue = index.map((which) =>
  laneStep(
    'the deadline passes',
    (lane, ledger) => lane.pause === null || mayPassPausedDay(lane, ledger),
    async (lane, { ledger, world }) => {
      if (lane.pause !== null) {
        await world.start('a day passes in a pause', 0, ({ db }) => passPausedDay(db, lane.id));
        return;
      }
      lane.mayExpire = true;
      await world.start('a day passes for the deliveries', 0, ({ db }) => passDeadline(db, lane.id));
      ledger.note(`deliveries of lane ${ledger.lanes.indexOf(lane) + 1} are overdue`);
    },
    which,
  ),
);

/** Waiting deliveries past their deadline expire. */
export const expired = fc.tuple(index, held).map(([which, holds]) =>
  laneStep(
    'expiry',
    always,
    (lane, { world }) =>
      world.start('expire', holds, async ({ lanes, dispatcher }) => {
        let count = 0;
        const guard = lane.pauseGuard();
        const parts = { lanes, dispatcher, deadlineMs: DEADLINE_MS };
        await expireWaiting(parts, lane.id, (more) => {
          guard('deliveries expire');
          count += more;
        });
        await dispatcher.idle();
        return String(count);
      }),
    which,
  ),
);

/** A destination was changed: its lane is resumed. */
export const resumed = fc.tuple(index, seldomHeld).map(([which, holds]) =>
  laneStep(
    'resume',
    always,
    (lane, { world }) =>
      world.start('resume', holds, async ({ dispatcher }) => {
        await dispatcher.resume(lane.id);
        await dispatcher.idle();
      }),
    which,
  ),
);

/** One delivery is redelivered. */
export const redelivered = fc.tuple(index, index, held).map(([which, change, holds]) =>
  laneStep(
    'redeliver one',
    ({ changes }) => changes.length > 0,
    async (lane, { world }) => {
      const { event } = at(lane.changes, change);
      lane.consumer.redeliveryRequested(lane.changes);
      await world.start('redeliver one', holds, async ({ redeliveries, dispatcher }) => {
        const result = await redeliveries.events(lane.destination.accountId, lane.id, [event]);
        await dispatcher.idle();
        return JSON.stringify(result);
      });
    },
    which,
  ),
);

/** Redelivers all finished deliveries of a state. */
export async function redeliverRange(
  lane: ModelLane,
  state: 'delivered' | 'rejected' | 'expired',
  holds: number,
  { world }: Pick<Run, 'world'>,
): Promise<void> {
  lane.consumer.redeliveryRequested(lane.changes);
  await world.start(`redeliver ${state}`, holds, async ({ redeliveries, dispatcher }) => {
    const { count } = await redeliveries.range(lane.id, { state, from: new Date(0), to: undefined });
    await dispatcher.idle();
    return String(count);
  });
}

/** A range of deliveries is redelivered. */
export const rangeRedelivered = fc
  .tuple(index, fc.constantFrom('delivered' as const, 'rejected' as const, 'expired' as const), held)
  .map(([which, state, holds]) =>
    laneStep(
      `redeliver ${state}`,
      ({ changes }) => changes.length > 0,
      (lane, run) => redeliverRange(lane, state, holds, run),
      which,
    ),
  );

/** One sweep of all lanes. */
export async function sweep({ world }: Pick<Run, 'world'>, holds: number): Promise<void> {
  await world.start('sweep', holds, async ({ sweeper, dispatcher }) => {
    const found = await sweeper().sweep();
    await dispatcher.idle();
    return JSON.stringify(found);
  });
}

/** The sweeper looks at every lane. */
export const swept = held.map((holds) => new Step('sweep', always, (run) => sweep(run, holds)));
