import type { Database } from '../../database/database.js';
import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask } from '../../maintenance/maintenance.js';
import { PagedPruning } from '../../maintenance/paged-pruning.js';
import { deleteExpiredKeys } from './idempotency-store.js';

const INTERVAL_MS = 60_000;

/** The maintenance task that deletes idempotency keys whose responses are no longer kept. */
export function idempotencyPruning(db: Database, logger: Logger): MaintenanceTask {
  // Without a cursor: the oldest keys come first, so each page begins where the last one ended.
  const pruning = new PagedPruning(null, async (_, size) => {
    const removed = await deleteExpiredKeys(db, size);
    return { removed, last: null, more: removed === size };
  });
  return {
    name: 'prune_idempotency_keys',
    intervalMs: INTERVAL_MS,
    async run(control) {
      const removed = await pruning.turn(control);
      if (removed > 0) logger.info({ removed }, 'pruned idempotency keys');
    },
  };
}
