import type { Logger } from '../../logging/logger.js';
import type { TurnControl } from '../../maintenance/maintenance.js';
import { pauseAsLongAs } from '../../maintenance/pause-as-long-as.js';
import type { FinishedCursor, MovedStore } from './moved-store.js';

/** Deliveries of one statement. */
const PAGE_SIZE = 1_000;

/** Deliveries between two log lines. */
const LOGGED_EVERY = 100_000;

/**
 * Moves the deliveries into the history that a release before the history has finished, page by page. Processes of that
 * release may still run: the next turn finds what they finish. The cursor is in memory, so that a turn does not read
 * the dead entries of its own pages; a new turn begins anew.
 */
export class FinishedMover {
  constructor(
    private readonly store: MovedStore,
    private readonly logger: Logger,
    private readonly pageSize: number = PAGE_SIZE,
  ) {}

  /**
   * Moves all there are, once the upgrade is long enough ago, and returns how many. Ends early, without an error, when
   * `stopped` aborts.
   */
  async move({ stopped, progressed }: TurnControl): Promise<number> {
    if (!(await this.store.isDue())) return 0;
    let moved = 0;
    let logged = 0;
    let after: FinishedCursor | null = null;
    while (!stopped.aborted) {
      const begun = performance.now();
      const page = await this.store.page(after, this.pageSize);
      moved += page.moved;
      progressed();
      if (page.last === null) break;
      after = page.last;
      if (moved - logged >= LOGGED_EVERY) {
        logged = moved;
        this.logger.info({ moved }, 'moving finished deliveries into the history');
      }
      await pauseAsLongAs(begun, stopped);
    }
    if (moved > 0) this.logger.info({ moved }, 'moved finished deliveries into the history');
    return moved;
  }
}
