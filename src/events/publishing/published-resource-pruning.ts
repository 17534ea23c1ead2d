import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { PagedPruning } from '../../maintenance/paged-pruning.js';
import type { PublishedResourceStore } from './published-resource-store.js';

/** Removes published resources of deleted types, and those that were deleted long ago. */
export class PublishedResourcePruning implements MaintenanceTask {
  readonly name = 'prune_published_resources';
  readonly intervalMs = 60_000;
  private readonly pruning: PagedPruning<null>;

  constructor(
    store: PublishedResourceStore,
    private readonly logger: Logger,
  ) {
    // Without a cursor: what is removed is not found again.
    this.pruning = new PagedPruning(null, async (_, size) => {
      const removed = await store.prune(size);
      return { removed, last: null, more: removed >= size };
    });
  }

  /** Runs one turn. Ends early, without an error, when `stopped` aborts. */
  async run(control: TurnControl): Promise<void> {
    const removed = await this.pruning.turn(control);
    if (removed > 0) this.logger.info({ removed }, 'pruned published resources');
  }
}
