import fc, { type AsyncCommand } from 'fast-check';
import type { Attempt, Ledger, ModelLane } from './ledger.js';
import { Operations } from './operations.js';
import { expectWokenUp } from './wake-ups.js';
import { MAX_OPERATIONS, type LaneWorld } from './world.js';

/** What a command works with. */
export interface Run {
  readonly ledger: Ledger;
  readonly world: LaneWorld;
  readonly operations: Operations;
}

/** A step of the model. It checks the rule of wake-ups after itself. */
export class Step implements AsyncCommand<Ledger, LaneWorld> {
  constructor(
    private readonly name: string,
    private readonly isPossible: (ledger: Ledger) => boolean,
    private readonly take: (run: Run) => Promise<void>,
  ) {}

  check(ledger: Readonly<Ledger>): boolean {
    return ledger.operations < MAX_OPERATIONS && this.isPossible(ledger);
  }

  async run(ledger: Ledger, world: LaneWorld): Promise<void> {
    await this.take({ ledger, world, operations: new Operations(world, ledger) });
    await expectWokenUp(ledger, world);
  }

  toString(): string {
    return this.name;
  }
}

/** Releases a held commit, also when no other operation may start. */
export class ReleaseStep extends Step {
  override check(ledger: Readonly<Ledger>): boolean {
    return ledger.operations > 0;
  }
}

/** Chooses one of several; lists are shorter. */
export const index = fc.nat(11);
/** True once in four times. */
export const rarely = fc.nat(3).map((value) => value === 0);
/** Which commit of an operation is held; 0: none. */
export const held = fc.constantFrom(0, 0, 1, 2);
/** The same, held less often. */
export const seldomHeld = fc.constantFrom(0, 0, 0, 1);

/** The condition of a step that is always possible. */
export const always = (): boolean => true;

/** Returns the element at a position, which may be higher than the last. */
export function at<T>(list: readonly T[], position: number): T {
  const found = list[position % list.length];
  if (found === undefined) throw new Error('nothing to choose from');
  return found;
}

/** A step of one of the lanes for which it is possible. */
export function laneStep(
  name: string,
  isPossible: (lane: ModelLane, ledger: Ledger) => boolean,
  take: (lane: ModelLane, run: Run) => Promise<void>,
  which: number,
): Step {
  const candidates = (ledger: Ledger) => ledger.lanes.filter((lane) => isPossible(lane, ledger));
  return new Step(
    `${name} of lane ${which}`,
    (ledger) => candidates(ledger).length > 0,
    (run) => take(at(candidates(run.ledger), which), run),
  );
}

/** A step of one of the attempts for which it is possible. */
export function attemptStep(
  name: string,
  isPossible: (attempt: Attempt) => boolean,
  take: (attempt: Attempt, run: Run) => Promise<void>,
  which: number,
): Step {
  // The latest few: older ones say the same.
  const candidates = ({ attempts }: Ledger) => attempts.filter(isPossible).slice(-4);
  return new Step(
    `${name} ${which}`,
    (ledger) => candidates(ledger).length > 0,
    (run) => take(at(candidates(run.ledger), which), run),
  );
}
