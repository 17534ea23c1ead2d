import type { Logger } from '../logging/logger.js';
import type { MaintenanceTask } from './maintenance.js';
import { PagedPruning } from './paged-pruning.js';

/**
 * Returns the task that deletes rows in pages, each minute.
 * @param message of the log, when a turn has deleted rows
 * @param prune deletes at most `size` rows of a kind, and returns how many; fewer when none are left
 */
export function rowPruning(
  name: string,
  message: string,
  logger: Logger,
  prune: (size: number) => Promise<number>,
): MaintenanceTask {
  // Without a cursor: what is removed is not found again.
  const pruning = new PagedPruning(null, async (_, size) => {
    const removed = await prune(size);
    return { removed, last: null, more: removed >= size };
  });
  return {
    name,
    intervalMs: 60_000,
    async run(control) {
      const removed = await pruning.turn(control);
      if (removed > 0) logger.info({ removed }, message);
    },
  };
}
