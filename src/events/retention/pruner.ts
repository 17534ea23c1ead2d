import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { PagedPruning } from '../../maintenance/paged-pruning.js';
import type { PruneStore, Retention } from './prune-store.js';

/** Number of rows that a turn has removed. */
export interface Pruned {
  readonly events: number;
  readonly attempts: number;
}

/**
 * Removes events with their projections, ids of publishers and attempts that are older than their retention, row by
 * row.
 */
export class Pruner implements MaintenanceTask {
  readonly name = 'prune';
  readonly intervalMs = 60_000;
  private readonly events: PagedPruning<string>;
  private readonly publisherIds: PagedPruning<string>;
  private readonly projections: PagedPruning<string>;
  private readonly attempts: PagedPruning<number>;

  constructor(
    private readonly store: PruneStore,
    retention: Retention,
    private readonly logger: Logger,
  ) {
    const { deliveredMs, undeliveredMs, eventsMs } = retention;
    this.events = new PagedPruning('', (...page) => store.events(retention, ...page), [eventsMs]);
    this.publisherIds = new PagedPruning('', (after, size) => store.publisherIds(retention, after, size));
    this.projections = new PagedPruning('', (after, size) => store.projections(retention, after, size));
    this.attempts = new PagedPruning(0, (...page) => store.attempts(retention, ...page), [deliveredMs, undeliveredMs]);
  }

  /** Runs one turn of pruning. Ends early, without an error, when `stopped` aborts. */
  async run(control: TurnControl): Promise<Pruned> {
    const events = await this.events.turn(control);
    await this.publisherIds.turn(control);
    await this.projections.turn(control);
    const attempts = await this.attempts.turn(control);
    const pruned = { events, attempts };
    if (events + attempts > 0) this.logger.info(pruned, 'pruned events and attempts');
    return pruned;
  }
}
