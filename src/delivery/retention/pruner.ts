import type { Logger } from '../../logging/logger.js';
import type { TurnControl } from '../../maintenance/maintenance.js';
import { PagedPruning } from '../../maintenance/paged-pruning.js';
import type { PruneStore, Retention } from './prune-store.js';

/** Number of rows that a turn has removed. */
export interface Pruned {
  readonly deliveries: number;
  readonly events: number;
  readonly attempts: number;
}

/** Removes deliveries, events and attempts that are older than their retention. */
export class Pruner {
  private readonly deliveries: PagedPruning<string>;
  private readonly events: PagedPruning<string>;
  private readonly attempts: PagedPruning<number>;

  /** @param deadlineMs how long a delivery is tried, in milliseconds */
  constructor(
    store: PruneStore,
    retention: Retention,
    deadlineMs: number,
    private readonly logger: Logger,
  ) {
    const { deliveredMs, undeliveredMs, eventsMs } = retention;
    this.deliveries = new PagedPruning('', (...page) => store.deliveries(retention, ...page), [
      deliveredMs,
      undeliveredMs,
      // Behind a destination that takes no events, deliveries finish at their deadline.
      undeliveredMs + deadlineMs,
    ]);
    this.events = new PagedPruning('', (...page) => store.events(retention, ...page), [eventsMs]);
    this.attempts = new PagedPruning(0, (...page) => store.attempts(retention, ...page), [deliveredMs, undeliveredMs]);
  }

  /** Runs one turn of pruning. Ends early, without an error, when `stopped` aborts. */
  async prune(control: TurnControl): Promise<Pruned> {
    const deliveries = await this.deliveries.turn(control);
    const events = await this.events.turn(control);
    const attempts = await this.attempts.turn(control);
    const pruned = { deliveries, events, attempts };
    if (deliveries + events + attempts > 0) this.logger.info(pruned, 'pruned deliveries, events and attempts');
    return pruned;
  }
}
