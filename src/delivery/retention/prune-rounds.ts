import { setTimeout as sleep } from 'node:timers/promises';
import type { PruneStep } from './prune-store.js';

/** Steps of each turn among what was left standing: it is looked at again, a part each time. */
const STEPS_BEHIND = 20;

/** Rows that one statement looks at, unless that takes too long. */
const LARGEST_STEP = 500;

/** After a step that took less than this, in milliseconds, a step of twice the size is nowhere near the limit of a statement. */
const QUICK_MS = 4_000;

/** Removes what has come of age in one table, in the order of its keys: a step of so many rows behind a key. */
export type Step<Cursor> = (after: Cursor, size: number) => Promise<PruneStep<Cursor>>;

/** Aborts when the process stops, and hears that a long turn gets on. */
export interface TurnControl {
  readonly stopped: AbortSignal;
  readonly progressed: () => void;
}

/**
 * Goes through one table, turn after turn. A turn looks at what has come of age since the last one, and at a bounded part of what
 * was left standing before (events that still wait, or that are kept for longer). So its work does not grow with the table.
 * The places are in memory: the first turn of a process looks at everything.
 *
 * A row may bring thousands of others with it, as an event its deliveries: a step that reaches the limit of a statement is tried
 * again with half as many rows, and steps grow again while they are quick.
 */
export class PruneRounds<Cursor> {
  /** All before it has been looked at by this process. */
  private frontier: Cursor;
  /** Where looking again goes on. */
  private behind: Cursor;
  private size = LARGEST_STEP;

  /** @param start before the first key */
  constructor(
    private readonly start: Cursor,
    private readonly step: Step<Cursor>,
  ) {
    this.frontier = start;
    this.behind = start;
  }

  /**
   * Resolves, with how many rows were removed, after one turn, or soon after `stopped` aborts.
   * @throws what a step throws; the next turn goes on where this one came to
   */
  async turn(control: TurnControl): Promise<number> {
    const first = this.frontier === this.start;
    const ahead = await this.walk(this.frontier, Infinity, control, (at) => {
      this.frontier = at;
    });
    if (first) return ahead.removed;
    const behind = await this.walk(this.behind, STEPS_BEHIND, control, (at) => {
      this.behind = at;
    });
    if (!behind.more) this.behind = this.start;
    return ahead.removed + behind.removed;
  }

  private async walk(
    from: Cursor,
    steps: number,
    { stopped, progressed }: TurnControl,
    arrived: (at: Cursor) => void,
  ): Promise<{ removed: number; more: boolean }> {
    let at = from;
    let removed = 0;
    let more = true;
    for (let taken = 0; more && taken < steps && !stopped.aborted; taken += 1) {
      const begun = performance.now();
      const done = await this.tryStep(at);
      const tookMs = performance.now() - begun;
      if (done) {
        removed += done.removed;
        more = done.more;
        at = done.last ?? at;
        arrived(at);
        if (tookMs < QUICK_MS) this.size = Math.min(2 * this.size, LARGEST_STEP);
      } else {
        this.size = Math.floor(this.size / 2);
      }
      progressed();
      // As long as the step: pruning never has more than half a connection.
      await sleep(Math.ceil(tookMs), undefined, { signal: stopped }).catch(() => undefined);
    }
    return { removed, more };
  }

  /** Null when the step took too long and a smaller one can be tried. */
  private async tryStep(after: Cursor): Promise<PruneStep<Cursor> | null> {
    try {
      return await this.step(after, this.size);
    } catch (error) {
      if (this.size > 1 && isCanceled(error)) return null;
      throw error;
    }
  }
}

/** Whether Postgres ended the statement because it took too long (57014, query_canceled). */
function isCanceled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014';
}
