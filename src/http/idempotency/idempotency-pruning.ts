import type { Database } from '../../database/database.js';
import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { PagedPruning } from '../../maintenance/paged-pruning.js';
import { deleteExpiredKeys } from './idempotency-store.js';

/** Deletes idempotency keys whose responses are no longer kept. */
export class IdempotencyPruning implements MaintenanceTask {
  readonly name = 'prune_idempotency_keys';
  readonly intervalMs = 60_000;
  private readonly pruning: PagedPruning<null>;

  constructor(
    db: Database,
    private readonly logger: Logger,
  ) {
    // Without a cursor: the oldest keys come first, so each page begins where the last one ended.
    this.pruning = new PagedPruning(null, async (_, size) => {
      const removed = await deleteExpiredKeys(db, size);
      return { removed, last: null, more: removed === size };
    });
  }

  /** Runs one turn. Ends early, without an error, when `stopped` aborts. */
  async run(control: TurnControl): Promise<void> {
    const removed = await this.pruning.turn(control);
    if (removed > 0) this.logger.info({ removed }, 'pruned idempotency keys');
  }
}
