import fc from 'fast-check';
import {
  followed,
  leased,
  leasedTogether,
  looked,
  released,
  renewed,
  sent,
  settled,
  takenOver,
  workedOff,
} from './attempt-steps.js';
import {
  died,
  expired,
  orphaned,
  overdue,
  passed,
  rangeRedelivered,
  redelivered,
  resumed,
  swept,
} from './lane-steps.js';
import type { Ledger } from './ledger.js';
import { advanced, sentBehind, streamed } from './overlap-steps.js';
import { paused, unpaused } from './pause-steps.js';
import { always, index, ReleaseStep } from './step.js';
import type { LaneWorld } from './world.js';
import { ended, opened } from './writer-steps.js';

const committed = index.map((which) => new ReleaseStep('release', always, ({ world }) => world.release(which)));

function often<T>(times: number, step: T): readonly T[] {
  return Array.from({ length: times }, () => step);
}

/** Every kind of step, the frequent ones several times. A new operation on lanes is one more of these. */
export const steps = fc.commands<Ledger, LaneWorld, false>(
  [
    ...often(4, opened),
    ...often(3, ended),
    ...often(8, followed),
    ...often(4, looked),
    ...often(4, leased),
    ...often(4, leasedTogether),
    ...often(6, settled),
    ...often(6, workedOff),
    ...often(6, committed),
    ...often(3, sent),
    ...often(2, takenOver),
    ...often(5, advanced),
    ...often(3, sentBehind),
    ...often(4, streamed),
    ...often(2, released),
    renewed,
    died,
    ...often(3, orphaned),
    ...often(2, passed),
    overdue,
    expired,
    resumed,
    ...often(2, paused),
    ...often(4, unpaused),
    ...often(3, redelivered),
    rangeRedelivered,
    swept,
  ],
  { maxCommands: 250, size: 'max' },
);
