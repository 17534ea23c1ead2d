import type { Database } from '../../database/database.js';
import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { pauseAsLongAs } from '../../maintenance/pause-as-long-as.js';
import { SearchFillStore } from './search-fill-store.js';

const INTERVAL_MS = 60_000;

/** Events of one transaction: they take about 0.1 s. */
const PAGE_SIZE = 500;

/** Events between two log lines. */
const LOGGED_EVERY = 100_000;

/** The maintenance task that fills the columns of search in events of earlier releases (docs/decisions/search.md). */
export function searchFill(db: Database, logger: Logger): MaintenanceTask {
  const store = new SearchFillStore(db);
  return { name: 'event_search_fill', intervalMs: INTERVAL_MS, run: (control) => fillAll(store, logger, control) };
}

/**
 * Fills all there are, and returns how many were visited. Ends early, without an error, when `stopped` aborts: the next
 * turn continues there.
 */
export async function fillAll(
  store: SearchFillStore,
  logger: Logger,
  { stopped, progressed }: TurnControl,
  pageSize: number = PAGE_SIZE,
): Promise<number> {
  let visited = 0;
  while (!stopped.aborted) {
    const begun = performance.now();
    const count = await store.page(pageSize);
    progressed();
    if (count === null) {
      if (visited > 0) logger.info({ visited }, 'earlier events can be searched');
      break;
    }
    const before = visited;
    visited += count;
    if (Math.floor(visited / LOGGED_EVERY) > Math.floor(before / LOGGED_EVERY)) {
      logger.info({ visited }, 'preparing earlier events for search');
    }
    await pauseAsLongAs(begun, stopped);
  }
  return visited;
}
