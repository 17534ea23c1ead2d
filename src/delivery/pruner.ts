import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logging/logger.js';
import type { PruneStep, PruneStore, Retention } from './prune-store.js';

/** Rows that one statement looks at. */
const STEP = 500;

/** How long an answer to an Idempotency-Key is remembered, in milliseconds: 24 hours, as the API promises. */
const IDEMPOTENCY_MS = 86_400_000;

/** Removes what has been kept long enough, in small steps with pauses as long as the steps, so that it never has more than half a connection. */
export class Pruner {
  readonly #store: PruneStore;
  readonly #retention: Retention;
  readonly #logger: Logger;

  constructor(store: PruneStore, retention: Retention, logger: Logger) {
    this.#store = store;
    this.#retention = retention;
    this.#logger = logger;
  }

  /**
   * Prunes everything once; ends early, without an error, when `stopped` aborts.
   * @returns how many rows of each kind were removed (of events, without counting their deliveries)
   */
  async prune(stopped: AbortSignal): Promise<{ events: number; attempts: number; idempotencyKeys: number }> {
    const events = await walk('', (after) => this.#store.events(this.#retention, after, STEP), stopped);
    const attempts = await walk(0, (after) => this.#store.attempts(this.#retention, after, STEP), stopped);
    const idempotencyKeys = await walk(
      0,
      async (after) => {
        const removed = await this.#store.idempotencyKeys(IDEMPOTENCY_MS, STEP);
        return { removed, next: removed === STEP ? after + removed : null };
      },
      stopped,
    );
    const removed = { events, attempts, idempotencyKeys };
    if (events + attempts + idempotencyKeys > 0) this.#logger.info(removed, 'pruned');
    return removed;
  }
}

async function walk<Cursor>(
  start: Cursor,
  step: (after: Cursor) => Promise<PruneStep<Cursor>>,
  stopped: AbortSignal,
): Promise<number> {
  let removed = 0;
  let after: Cursor | null = start;
  while (after !== null && !stopped.aborted) {
    const begun = performance.now();
    const done: PruneStep<Cursor> = await step(after);
    removed += done.removed;
    after = done.next;
    await sleep(Math.ceil(performance.now() - begun));
  }
  return removed;
}
