import { setImmediate as othersServed } from 'node:timers/promises';

/**
 * Longest time that steps keep the event loop, apart from the last one; in milliseconds. A request of another account
 * waits as long after each of its trips to Postgres and back, and a publish has six of them.
 */
const LONGEST_MS = 2;

/** Long work on the event loop, in steps: others are served between two of them when the last ones took long. */
export class Stretch {
  private begunAt = performance.now();

  /** Call it between two steps. */
  async pause(): Promise<void> {
    if (performance.now() - this.begunAt <= LONGEST_MS) return;
    await othersServed();
    this.begunAt = performance.now();
  }
}
