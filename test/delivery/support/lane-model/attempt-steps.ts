import fc from 'fast-check';
import { callFates } from './call-fates.js';
import { letTimePass } from './lane-steps.js';
import { always, at, attemptStep, held, index, laneStep, rarely, seldomHeld, Step } from './step.js';
import { overtake } from './writer-steps.js';

/** A process does what it still does for a lane. */
export const followed = fc.tuple(index, index, held).map(([which, what, holds]) =>
  laneStep(
    `a follow-up${holds > 0 ? ', held,' : ''}`,
    ({ followUps }) => followUps.length > 0,
    (lane, { operations }) => operations.followUp(lane, what, holds),
    which,
  ),
);

/** The job of a batch that is not in the lane runs again: it looks whether anything waits. */
export const looked = fc.tuple(index, held, fc.boolean()).map(([which, holds, isOvertaken]) =>
  laneStep(
    `a look${holds > 0 ? ', held,' : ''}`,
    always,
    async (lane, run) => {
      lane.followUps.push('dispatch');
      await run.operations.followUp(lane, lane.followUps.length - 1, holds);
      if (isOvertaken) await overtake(lane, run);
    },
    which,
  ),
);

/** A job requests a lease. */
export const leased = fc.tuple(index, index, rarely, held).map(([which, job, failingWait, holds]) =>
  laneStep(
    `a job requests a lease${holds > 0 ? ', held,' : ''}`,
    (lane, ledger) =>
      (ledger.jobsOf(lane).length > 0 || lane.batchIds.length > 0) &&
      // A lease that is held is requested less often.
      (job % 4 === 3 || lane.attempts.every(({ isLive }) => !isLive)),
    async (lane, { ledger, operations }) => {
      // Mostly the lane's batch. A job of an earlier one may run again.
      const jobs = ledger.jobsOf(lane);
      const batchId =
        jobs.length > 0 && (job % 4 < 3 || lane.batchIds.length === 0)
          ? at(jobs, job)
          : at(lane.batchIds.slice(-2), job);
      await operations.lease(lane, batchId, failingWait, holds);
    },
    which,
  ),
);

/** An attempt is recorded, perhaps late or twice. */
export const settled = fc.tuple(index, callFates, fc.boolean(), held).map(([which, fates, continues, holds]) =>
  attemptStep(
    `settle${continues ? ' and claim' : ''}${holds > 0 ? ', held,' : ''} ${fates.map(({ kind }) => kind).join(' ')}`,
    // Mostly one that is not recorded yet. One that is recorded during the next call has a step of its own.
    (attempt) => !attempt.isBusy && (attempt.isOver ? which % 4 === 3 : attempt.successor === null),
    (attempt, { operations }) => operations.settle(attempt, fates, continues, holds),
    which,
  ),
);

/** The jobs of all lanes request their leases together. */
export const leasedTogether = held.map(
  (holds) =>
    new Step(
      `leases together${holds > 0 ? ', held,' : ''}`,
      ({ queues }) => queues.jobs.size > 0,
      async ({ ledger, operations }) => {
        const requested = ledger.lanes.flatMap((lane) => {
          const [batchId] = ledger.jobsOf(lane);
          return batchId === undefined ? [] : [[lane, batchId] as const];
        });
        await operations.leaseTogether(requested, holds);
      },
    ),
);

/** A job delivers the lane's batch, and continues or frees the lane. */
export const workedOff = fc
  .tuple(index, fc.boolean(), held, fc.boolean())
  .map(([which, continues, holds, isOvertaken]) =>
    laneStep(
      `a job delivers the batch${continues ? ' and claims' : ''}${holds > 0 ? ', held,' : ''}`,
      (lane, ledger) => ledger.jobsOf(lane).length > 0 || lane.attempts.some(({ isLive }) => isLive),
      async (lane, run) => {
        const { ledger, operations } = run;
        if (!lane.attempts.some(({ isLive }) => isLive))
          await operations.leaseTogether([[lane, at(ledger.jobsOf(lane), 0)]], 0);
        const attempt = lane.attempts.find(({ isLive, isBusy }) => isLive && !isBusy);
        if (attempt) await operations.settle(attempt, [], continues, holds);
        if (isOvertaken) await overtake(lane, run);
      },
      which,
    ),
  );

/** An attempt sends its batch, but its lease ends before it is recorded. The job requests another one. */
export const takenOver = index.map((which) =>
  attemptStep(
    'another attempt takes over from',
    ({ isLive }) => isLive,
    async (attempt, run) => {
      const { lane, lease, unrecorded } = attempt;
      if (attempt.sent === null) run.operations.send(attempt, []);
      await letTimePass(lane, run);
      await run.operations.lease(lane, (unrecorded?.lease ?? lease).batchId, false, 0);
    },
    which,
  ),
);

/** A live attempt makes its calls. */
export const sent = fc.tuple(index, callFates).map(([which, fates]) =>
  attemptStep(
    `send ${fates.map(({ kind }) => kind).join(' ')}`,
    (attempt) => attempt.isLive && attempt.sent === null,
    async (attempt, { operations }) => operations.send(attempt, fates),
    which,
  ),
);

/** The lease of an attempt that sent nothing ends. */
export const released = fc
  .tuple(index, fc.constantFrom('give back' as const, 'back off' as const, 'internal error' as const), seldomHeld)
  .map(([which, how, holds]) =>
    attemptStep(
      how,
      // Only before the calls begin, and an internal error once the attempt before is recorded.
      ({ sent: made, behind, unrecorded, isBusy }) =>
        made === null && !isBusy && unrecorded === null && (behind === null || how === 'internal error'),
      (attempt, { operations }) => operations.release(attempt, how, holds),
      which,
    ),
  );

/** A lease is renewed, perhaps late. */
export const renewed = fc
  .tuple(index, seldomHeld)
  .map(([which, holds]) =>
    attemptStep('renew', always, (attempt, { operations }) => operations.renew(attempt, holds), which),
  );
