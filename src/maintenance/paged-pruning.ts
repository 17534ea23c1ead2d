import { isCanceled } from '../database/lock-waits.js';
import type { TurnControl } from './maintenance.js';
import { pauseAsLongAs } from './pause-as-long-as.js';

/** Rows of a page, unless pages of that size take too long. */
const MAX_PAGE_SIZE = 500;

/**
 * A page that takes longer than this, in milliseconds, is followed by pages of half the size: the locks of a page and
 * its share of the disk stay small. A page that takes a quarter of it is followed by larger ones.
 */
const LONG_PAGE_MS = 500;

/** Most rows that a walk through older rows visits without removing one before it ends. */
const MAX_VISITED_IN_VAIN = 10_000;

/** Such visits that each removed row makes up for: where rows are due, the walk continues. */
const VISITS_PER_REMOVED = 10;

/** Result of one page. */
export interface PrunedPage<Cursor> {
  /** Key of the last row that was visited and is old enough; null when there was none. */
  readonly last: Cursor | null;
  /** Whether such rows follow `last`. */
  readonly more: boolean;
  readonly removed: number;
}

/** What a statement reports of its page. */
export interface PageRow<Cursor> {
  last: Cursor | null;
  /** Rows that were visited and are old enough. */
  seen: number;
  removed: number;
}

/** Returns the result of a page. The walk ends with the first page that contains a row which is too young. */
export function pageOf<Cursor>(row: PageRow<Cursor> | undefined, size: number): PrunedPage<Cursor> {
  return { last: row?.last ?? null, more: row !== undefined && row.seen >= size, removed: row?.removed ?? 0 };
}

/**
 * Removes the rows that are due from one page of a table: from at most `size` rows behind the key `after`, in key
 * order, that are at least `ageMs` old.
 */
export type PrunePage<Cursor> = (after: Cursor, size: number, ageMs: number) => Promise<PrunedPage<Cursor>>;

/**
 * Prunes one table page by page, as fast as rows become due. The keys of the table are in the order of time. For other
 * keys, use a new object for each turn: its first turn visits every row.
 *
 * Rows become due at a few ages, such as those of the settings. For each age, a turn visits the rows that reached it
 * since the last turn. Some rows become due later, because they were pending or had a redelivery. For these, a turn
 * walks through older rows twice: from the oldest row on, and from where the last turn ended. Both walks continue
 * while rows are due, and end after a bounded number of visits without one. So the work of a turn does not grow with
 * the rows that are kept. The cursors are in memory: the first turn of a process visits every old row.
 *
 * A row may cascade to thousands of others, as an event does to its deliveries. So pages become smaller while they take
 * long, and a page that reaches the statement timeout is tried again with half the rows.
 */
export class PagedPruning<Cursor> {
  /** For each age, from the highest: every row up to the cursor was visited at that age. */
  private readonly edges: { readonly ageMs: number; visited: Cursor }[];
  /** Where the next walk through older rows begins. */
  private revisitAfter: Cursor;
  private size = MAX_PAGE_SIZE;

  /**
   * @param start a cursor before the first key
   * @param agesMs the ages at which rows become due, in milliseconds
   */
  constructor(
    private readonly start: Cursor,
    private readonly prunePage: PrunePage<Cursor>,
    agesMs: readonly number[] = [0],
  ) {
    this.edges = [...new Set(agesMs)].toSorted((a, b) => b - a).map((ageMs) => ({ ageMs, visited: start }));
    this.revisitAfter = start;
  }

  /**
   * Runs one turn, and returns how many rows it removed. Ends early, without an error, when `stopped` aborts.
   * @throws what a page throws; the next turn continues behind the last page that succeeded
   */
  async turn(control: TurnControl): Promise<number> {
    const youngest = this.edges.at(-1);
    if (!youngest) return 0;
    const isFirst = youngest.visited === this.start;
    let removed = 0;
    let visited = this.start;
    for (const edge of this.edges) {
      // In the first turn, each walk begins where that of the next higher age ended.
      if (edge.visited === this.start) edge.visited = visited;
      const { removed: recent } = await this.walk(edge.visited, Infinity, edge.ageMs, control, (at) => {
        edge.visited = at;
      });
      removed += recent;
      visited = edge.visited;
    }
    if (isFirst) return removed;
    const oldest = await this.walk(this.start, MAX_VISITED_IN_VAIN, youngest.ageMs, control, () => {});
    const older = await this.walk(this.revisitAfter, MAX_VISITED_IN_VAIN, youngest.ageMs, control, (at) => {
      this.revisitAfter = at;
    });
    if (!older.more) this.revisitAfter = this.start;
    return removed + oldest.removed + older.removed;
  }

  private async walk(
    from: Cursor,
    maxVisitedInVain: number,
    ageMs: number,
    { stopped, progressed }: TurnControl,
    advance: (to: Cursor) => void,
  ): Promise<{ removed: number; more: boolean }> {
    let at = from;
    let removed = 0;
    let more = true;
    let allowance = maxVisitedInVain;
    while (more && allowance > 0 && !stopped.aborted) {
      const begun = performance.now();
      const { size } = this;
      const page = await this.tryPage(at, ageMs);
      const tookMs = performance.now() - begun;
      if (page) {
        removed += page.removed;
        more = page.more;
        at = page.last ?? at;
        advance(at);
        allowance = Math.min(maxVisitedInVain, allowance - size + VISITS_PER_REMOVED * page.removed);
        if (tookMs < LONG_PAGE_MS / 4) this.size = Math.min(2 * this.size, MAX_PAGE_SIZE);
      }
      if (!page || tookMs > LONG_PAGE_MS) this.size = Math.max(1, Math.floor(this.size / 2));
      progressed();
      await pauseAsLongAs(begun, stopped);
    }
    return { removed, more };
  }

  /** Null when the page took too long and a smaller one can be tried. */
  private async tryPage(after: Cursor, ageMs: number): Promise<PrunedPage<Cursor> | null> {
    try {
      return await this.prunePage(after, this.size, ageMs);
    } catch (error) {
      if (this.size > 1 && isCanceled(error)) return null;
      throw error;
    }
  }
}
