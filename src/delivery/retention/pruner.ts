import type { Logger } from '../../logging/logger.js';
import type { TurnControl } from '../../maintenance/maintenance.js';
import { PagedPruning } from '../../maintenance/paged-pruning.js';
import type { PruneStore, Retention } from './prune-store.js';

/** Removes events, deliveries and attempts that are older than their retention. */
export class Pruner {
  private readonly events: PagedPruning<string>;
  private readonly attempts: PagedPruning<number>;

  /** @param deadlineMs how long a delivery is tried, in milliseconds */
  constructor(
    store: PruneStore,
    retention: Retention,
    deadlineMs: number,
    private readonly logger: Logger,
  ) {
    const { deliveredMs, undeliveredMs } = retention;
    this.events = new PagedPruning('', (...page) => store.events(retention, ...page), [
      deliveredMs,
      undeliveredMs,
      // Behind a destination that takes no events, deliveries finish at their deadline.
      undeliveredMs + deadlineMs,
    ]);
    this.attempts = new PagedPruning(0, (...page) => store.attempts(retention, ...page), [deliveredMs, undeliveredMs]);
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
