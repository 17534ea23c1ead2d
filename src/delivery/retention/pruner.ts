import type { Logger } from '../../logging/logger.js';
import { PruneRounds } from './prune-rounds.js';
import type { PruneStore, Retention } from './prune-store.js';

/** How long an answer to an Idempotency-Key is remembered, in milliseconds: 24 hours, as the API promises. */
const IDEMPOTENCY_MS = 86_400_000;

/** Removes what has been kept long enough, in small steps with pauses as long as the steps, so that it never has more than half a connection. */
export class Pruner {
  private readonly events: PruneRounds<string>;
  private readonly attempts: PruneRounds<number>;
  private readonly keys: PruneRounds<null>;

  constructor(
    store: PruneStore,
    retention: Retention,
    private readonly logger: Logger,
  ) {
    this.events = new PruneRounds('', (after, size) => store.events(retention, after, size));
    this.attempts = new PruneRounds(0, (after, size) => store.attempts(retention, after, size));
    // They are removed in the order of their time: the first that is too young is the end.
    this.keys = new PruneRounds(null, async (_, size) => {
      const removed = await store.idempotencyKeys(IDEMPOTENCY_MS, size);
      return { removed, last: null, more: removed === size };
    });
  }

  /**
   * Prunes what has come of age; ends early, without an error, when `stopped` aborts.
   * @param progressed called after each step
   * @returns how many rows of each kind were removed (of events, without counting their deliveries)
   */
  async prune(
    stopped: AbortSignal,
    progressed: () => void = () => {},
  ): Promise<{ events: number; attempts: number; idempotencyKeys: number }> {
    const control = { stopped, progressed };
    const events = await this.events.turn(control);
    const attempts = await this.attempts.turn(control);
    const idempotencyKeys = await this.keys.turn(control);
    const removed = { events, attempts, idempotencyKeys };
    if (events + attempts + idempotencyKeys > 0) this.logger.info(removed, 'pruned');
    return removed;
  }
}
