import fc from 'fast-check';
import { letTimePass } from './lane-steps.js';
import { isAllDelivered } from './operations.js';
import { attemptStep, held, index, rarely } from './step.js';
import { overtake } from './writer-steps.js';

/** A job claims behind the batch that it sends, and records the one before it. */
export const advanced = fc.tuple(index, fc.boolean(), rarely, held).map(([which, claimsNone, losesResponse, holds]) =>
  attemptStep(
    `advance${holds > 0 ? ', held,' : ''}`,
    ({ lease, isOver, isBusy, behind, unrecorded }) =>
      lease.attempt === 1 && !isBusy && !isOver && (unrecorded !== null || behind === null),
    (attempt, { operations }) => operations.advance(attempt, !claimsNone, losesResponse, holds),
    which,
  ),
);

/** A job begins to send the batch behind one that is delivered and not recorded. */
export const sentBehind = index.map((which) =>
  attemptStep(
    'begin the next batch of',
    (attempt) =>
      attempt.isLive &&
      !attempt.isBusy &&
      attempt.unrecorded === null &&
      Boolean(attempt.behind?.next) &&
      isAllDelivered(attempt),
    (attempt, { operations }) => operations.sendBehind(attempt),
    which,
  ),
);

/** A job delivers batch after batch: each is recorded while the next one is sent. */
export const streamed = fc
  .tuple(index, held, fc.boolean(), fc.boolean(), fc.boolean())
  .map(([which, holds, claimsNone, isOvertaken, isTakenOver]) =>
    attemptStep(
      `a job overlaps${holds > 0 ? ', held,' : ''}`,
      ({ isLive, isBusy, lease, behind }) => isLive && !isBusy && lease.attempt === 1 && behind === null,
      async (attempt, run) => {
        const { lane } = attempt;
        const { operations } = run;
        if (attempt.sent === null) operations.send(attempt, []);
        if (!isAllDelivered(attempt)) return;
        await operations.advance(attempt, true, false, 0);
        if (!attempt.isLive || !attempt.behind?.next) return;
        await operations.sendBehind(attempt);
        const { successor } = attempt;
        if (!successor) return;
        await operations.advance(successor, !claimsNone, false, holds);
        if (successor.isLive && successor.sent === null) operations.send(successor, []);
        if (isOvertaken) await overtake(lane, run);
        if (!isTakenOver) return;
        await letTimePass(lane, run);
        await operations.lease(lane, (successor.unrecorded?.lease ?? successor.lease).batchId, false, 0);
      },
      which,
    ),
  );
