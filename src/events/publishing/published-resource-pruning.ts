import type { Database } from '../../database/database.js';
import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask } from '../../maintenance/maintenance.js';
import { PagedPruning } from '../../maintenance/paged-pruning.js';
import { PublishedResourceStore } from './published-resource-store.js';

const INTERVAL_MS = 60_000;

/** The maintenance task that removes published resources of deleted types, and those that were deleted long ago. */
export function publishedResourcePruning(db: Database, logger: Logger): MaintenanceTask {
  const store = new PublishedResourceStore(db);
  // Without a cursor: what is removed is not found again.
  const pruning = new PagedPruning(null, async (_, size) => {
    const removed = await store.prune(size);
    return { removed, last: null, more: removed >= size };
  });
  return {
    name: 'prune_published_resources',
    intervalMs: INTERVAL_MS,
    async run(control) {
      const removed = await pruning.turn(control);
      if (removed > 0) logger.info({ removed }, 'pruned published resources');
    },
  };
}
