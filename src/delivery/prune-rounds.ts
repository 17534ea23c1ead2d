import { setTimeout as sleep } from 'node:timers/promises';
import type { PruneStep } from './prune-store.js';

/** Steps of each turn among what was left standing: it is looked at again, a part each time. */
const STEPS_BEHIND = 20;

/** Removes what has come of age in one table, in the order of its keys: a step behind a key. */
export type Step<Cursor> = (after: Cursor) => Promise<PruneStep<Cursor>>;

/** Aborts when the process stops, and hears that a long turn gets on. */
export interface TurnControl {
  readonly stopped: AbortSignal;
  readonly progressed: () => void;
}

/**
 * Goes through one table, turn after turn. A turn looks at what has come of age since the last one, and at a bounded part of what
 * was left standing before (events that still wait, or that are kept for longer). So its work does not grow with the table.
 * The places are in memory: the first turn of a process looks at everything.
 */
export class PruneRounds<Cursor> {
  readonly #start: Cursor;
  readonly #step: Step<Cursor>;
  /** All before it has been looked at by this process. */
  #frontier: Cursor;
  /** Where looking again goes on. */
  #behind: Cursor;

  /** @param start before the first key */
  constructor(start: Cursor, step: Step<Cursor>) {
    this.#start = start;
    this.#step = step;
    this.#frontier = start;
    this.#behind = start;
  }

  /** Resolves, with how many rows were removed, after one turn, or soon after `stopped` aborts. */
  async turn(control: TurnControl): Promise<number> {
    const ahead = await this.#walk(this.#frontier, Infinity, control);
    const first = this.#frontier === this.#start;
    this.#frontier = ahead.at;
    if (first) return ahead.removed;
    const behind = await this.#walk(this.#behind, STEPS_BEHIND, control);
    this.#behind = behind.more ? behind.at : this.#start;
    return ahead.removed + behind.removed;
  }

  async #walk(from: Cursor, steps: number, { stopped, progressed }: TurnControl) {
    let at = from;
    let removed = 0;
    let more = true;
    for (let taken = 0; more && taken < steps && !stopped.aborted; taken += 1) {
      const begun = performance.now();
      const done = await this.#step(at);
      removed += done.removed;
      more = done.more;
      at = done.last ?? at;
      progressed();
      // As long as the step: pruning never has more than half a connection.
      await sleep(Math.ceil(performance.now() - begun));
    }
    return { at, removed, more };
  }
}
