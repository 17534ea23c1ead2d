import type { Logger } from '../../logging/logger.js';
import type { TurnControl } from '../../maintenance/maintenance.js';
import { PagedPruning } from '../../maintenance/paged-pruning.js';
import type { PruneStore, Retention } from './prune-store.js';

/** Removes events, deliveries and attempts that are older than their retention. */
export class Pruner {
  private readonly events: PagedPruning<string>;
  private readonly attempts: PagedPruning<number>;

  constructor(
    store: PruneStore,
    retention: Retention,
    private readonly logger: Logger,
  ) {
    this.events = new PagedPruning('', (after, size) => store.events(retention, after, size));
    this.attempts = new PagedPruning(0, (after, size) => store.attempts(retention, after, size));
  }

  /**
   * Runs one turn of pruning, and returns how many events and attempts it removed; deliveries go with their events
   * uncounted. Ends early, without an error, when `stopped` aborts.
   */
  async prune(control: TurnControl): Promise<{ events: number; attempts: number }> {
    const events = await this.events.turn(control);
    const attempts = await this.attempts.turn(control);
    if (events + attempts > 0) this.logger.info({ events, attempts }, 'pruned events and attempts');
    return { events, attempts };
  }
}
