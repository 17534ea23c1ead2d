import type { Logger } from '../logging/logger.js';
import { BatchJobs } from './batch-jobs.js';
import type { Dispatcher } from './dispatcher.js';
import type { LaneStore } from './lane-store.js';
import type { Queues } from './queues/queues.js';
import type { DueBatch, SweepStore } from './sweep-store.js';

/** Lanes that are looked at in one query, and batches that are looked up in the queue store side by side. */
const PAGE = 500;
const SIDE_BY_SIDE = 20;

/** How long a batch may be without a sign of its job before the sweeper looks for it, in milliseconds. */
const GRACE_MS = 3_000;

/** Deliveries that are expired in one statement. */
const EXPIRE_STEP = 1_000;

/** What a sweeper works with. */
export interface SweeperParts {
  readonly sweeps: SweepStore;
  readonly lanes: LaneStore;
  readonly dispatcher: Dispatcher;
  readonly queues: Queues;
  /** How long a delivery is tried, in milliseconds. */
  readonly deadlineMs: number;
  readonly logger: Logger;
}

/** What one sweep found, all zero when everything is in order. */
export interface Sweep {
  /** Idle lanes that had work. */
  readonly dispatched: number;
  /** Jobs that were gone and were rebuilt. */
  readonly rebuilt: number;
  /** Jobs that were delayed beyond their lane's backoff. */
  readonly hurried: number;
  /** Deliveries that nothing can deliver any more. */
  readonly expired: number;
}

/**
 * Makes good what fell between two steps, from Postgres alone: a process killed between commit and dispatch, or between claim
 * and job; a queue store that lost its jobs; a wake-up that never came. Everything it does is safe to do at any time and
 * twice, so it holds no lock.
 */
export class Sweeper {
  readonly #parts: SweeperParts;
  readonly #jobs: BatchJobs;

  constructor(parts: SweeperParts) {
    this.#parts = parts;
    this.#jobs = new BatchJobs(parts.queues);
  }

  /** Looks at every lane once. Throws what the stores throw; the next sweep begins anew. */
  async sweep(): Promise<Sweep> {
    const [idle, due, orphaned] = [await this.#idleLanes(), await this.#dueBatches(), await this.#orphans()];
    const found = { ...idle, ...due, expired: idle.expired + orphaned };
    if (Object.values(found).some((count) => count > 0)) this.#parts.logger.info(found, 'swept');
    return found;
  }

  async #idleLanes(): Promise<{ dispatched: number; expired: number }> {
    const { sweeps, dispatcher } = this.#parts;
    let dispatched = 0;
    let expired = 0;
    await eachPage(
      (after) => sweeps.idleLanesWithWork(after, PAGE),
      async ({ destinationId, inBackoff }) => {
        if (inBackoff) expired += await this.#expireWaiting(destinationId);
        else if (await dispatcher.dispatch(destinationId)) dispatched += 1;
      },
    );
    return { dispatched, expired };
  }

  async #expireWaiting(destinationId: string): Promise<number> {
    const { lanes, deadlineMs } = this.#parts;
    let expired = 0;
    for (;;) {
      const step = await lanes.expireWaiting(destinationId, deadlineMs, EXPIRE_STEP);
      if (step === 0) return expired;
      expired += step;
    }
  }

  async #dueBatches(): Promise<{ rebuilt: number; hurried: number }> {
    const { sweeps } = this.#parts;
    let rebuilt = 0;
    let hurried = 0;
    await eachPage(
      (after) => sweeps.dueBatches(after, PAGE, GRACE_MS),
      async (batch) => {
        const presence = await this.#jobs.hurry(batch.targetKind, batch.batchId);
        if (presence === 'hurried') hurried += 1;
        else if (presence === 'missing' && (await this.#rebuild(batch))) rebuilt += 1;
      },
    );
    return { rebuilt, hurried };
  }

  /** The same batch with the same events. One that was settled meanwhile has none left; its job would find nothing to do. */
  async #rebuild(batch: DueBatch): Promise<boolean> {
    const events = await this.#parts.sweeps.eventsOfBatch(batch.destinationId, batch.batchId);
    if (events.length === 0) return false;
    await this.#jobs.add({ ...batch, events });
    return true;
  }

  async #orphans(): Promise<number> {
    const { sweeps } = this.#parts;
    let expired = 0;
    for (const destinationId of await sweeps.destinationsWithoutLane(PAGE)) {
      let step: number;
      do {
        step = await sweeps.expireOrphans(destinationId, EXPIRE_STEP);
        expired += step;
      } while (step > 0);
    }
    return expired;
  }
}

/** Goes through lanes in the order of their ids, a page at a time, some of them side by side. */
async function eachPage<T extends { readonly destinationId: string }>(
  page: (after: string) => Promise<readonly T[]>,
  visit: (lane: T) => Promise<void>,
): Promise<void> {
  let after = '';
  for (;;) {
    const lanes = await page(after);
    for (let start = 0; start < lanes.length; start += SIDE_BY_SIDE) {
      await Promise.all(lanes.slice(start, start + SIDE_BY_SIDE).map(visit));
    }
    const last = lanes.at(-1);
    if (!last || lanes.length < PAGE) return;
    after = last.destinationId;
  }
}
