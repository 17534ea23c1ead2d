import { setTimeout as sleep } from 'node:timers/promises';
import type { TurnControl } from './maintenance.js';

/** Most pages of older rows that one turn visits again. */
const MAX_REVISITED_PAGES = 20;

/** Rows of a page, unless pages of that size take too long. */
const MAX_PAGE_SIZE = 500;

/**
 * After a page that took less than this, in milliseconds, a page of twice the size stays well below the statement
 * timeout.
 */
const QUICK_MS = 4_000;

/** Result of one page. */
export interface PrunedPage<Cursor> {
  /** Key of the last row that was visited and is old enough to be pruned; null when there was none. */
  readonly last: Cursor | null;
  /** Whether such rows follow `last`. */
  readonly more: boolean;
  readonly removed: number;
}

/** Removes old rows of one page of a table: of at most `size` rows behind the key `after`, in key order. */
export type PrunePage<Cursor> = (after: Cursor, size: number) => Promise<PrunedPage<Cursor>>;

/**
 * Prunes one table page by page. A turn visits the rows that became old since the last turn, and a bounded number of
 * older rows that were kept before (pending ones, and those with a longer retention). So the work of a turn does not
 * grow with the table. The cursors are in memory: the first turn of a process visits every old row.
 *
 * A row may cascade to thousands of others, as an event does to its deliveries. A page that reaches the statement
 * timeout is tried again with half the rows; pages grow again while they are quick.
 */
export class PagedPruning<Cursor> {
  /** Every row up to it was visited by this process. */
  private newestVisited: Cursor;
  /** Where the next visit of older rows begins. */
  private revisitAfter: Cursor;
  private size = MAX_PAGE_SIZE;

  /** @param start a cursor before the first key */
  constructor(
    private readonly start: Cursor,
    private readonly prunePage: PrunePage<Cursor>,
  ) {
    this.newestVisited = start;
    this.revisitAfter = start;
  }

  /**
   * Runs one turn, and returns how many rows it removed. Ends early, without an error, when `stopped` aborts.
   * @throws what a page throws; the next turn continues behind the last page that succeeded
   */
  async turn(control: TurnControl): Promise<number> {
    const isFirst = this.newestVisited === this.start;
    const recent = await this.walk(this.newestVisited, Infinity, control, (at) => {
      this.newestVisited = at;
    });
    if (isFirst) return recent.removed;
    const older = await this.walk(this.revisitAfter, MAX_REVISITED_PAGES, control, (at) => {
      this.revisitAfter = at;
    });
    if (!older.more) this.revisitAfter = this.start;
    return recent.removed + older.removed;
  }

  private async walk(
    from: Cursor,
    maxPages: number,
    { stopped, progressed }: TurnControl,
    advance: (to: Cursor) => void,
  ): Promise<{ removed: number; more: boolean }> {
    let at = from;
    let removed = 0;
    let more = true;
    for (let pages = 0; more && pages < maxPages && !stopped.aborted; pages += 1) {
      const begun = performance.now();
      const page = await this.tryPage(at);
      const tookMs = performance.now() - begun;
      if (page) {
        removed += page.removed;
        more = page.more;
        at = page.last ?? at;
        advance(at);
        if (tookMs < QUICK_MS) this.size = Math.min(2 * this.size, MAX_PAGE_SIZE);
      } else {
        this.size = Math.floor(this.size / 2);
      }
      progressed();
      // A pause as long as the page: pruning uses half a connection at most.
      await sleep(Math.ceil(tookMs), undefined, { signal: stopped }).catch(() => undefined);
    }
    return { removed, more };
  }

  /** Null when the page took too long and a smaller one can be tried. */
  private async tryPage(after: Cursor): Promise<PrunedPage<Cursor> | null> {
    try {
      return await this.prunePage(after, this.size);
    } catch (error) {
      if (this.size > 1 && isCanceled(error)) return null;
      throw error;
    }
  }
}

/** Whether Postgres canceled the statement because it took too long (57014, query_canceled). */
function isCanceled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014';
}
