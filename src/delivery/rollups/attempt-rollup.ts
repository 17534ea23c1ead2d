import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { pauseAsLongAs } from '../../maintenance/pause-as-long-as.js';
import type { RollupStore } from './rollup-store.js';

/** Attempts of one transaction. */
const PAGE_SIZE = 2_000;

/** How long a turn waits for the transactions that ran when it began, in milliseconds, and how often. */
const WAIT_MS = 200;
const MAX_WAITS = 10;

/** Attempts between two log lines: a page of them is usual, so many only after an upgrade or a long pause. */
const LOGGED_EVERY = 100_000;

/** Rolls up recorded attempts for the metrics of destinations, and removes old roll-ups. */
export class AttemptRollup implements MaintenanceTask {
  readonly name = 'attempt_rollup';
  readonly intervalMs = 15_000;

  constructor(
    private readonly store: RollupStore,
    private readonly logger: Logger,
    private readonly pageSize: number = PAGE_SIZE,
  ) {}

  /**
   * Rolls up what was recorded before the turn, and returns the number of attempts. When a transaction runs for longer
   * than about two seconds, a later turn does it. Ends early, without an error, when `stopped` aborts.
   */
  async run({ stopped, progressed }: TurnControl): Promise<number> {
    await this.store.propose();
    let attempts = 0;
    let waits = 0;
    while (!stopped.aborted) {
      const begun = performance.now();
      const page = await this.store.rollUp(this.pageSize);
      progressed();
      if (page === null) {
        waits += 1;
        if (waits > MAX_WAITS) break;
        await sleep(WAIT_MS, undefined, { signal: stopped }).catch(() => undefined);
        continue;
      }
      const before = attempts;
      attempts += page.attempts;
      if (Math.floor(attempts / LOGGED_EVERY) > Math.floor(before / LOGGED_EVERY)) {
        this.logger.info({ attempts }, 'rolling up attempts for the metrics of destinations');
      }
      if (page.isDone) break;
      await pauseAsLongAs(begun, stopped);
    }
    while (!stopped.aborted && (await this.store.prune(this.pageSize)) >= this.pageSize) progressed();
    return attempts;
  }
}
