import type { Logger } from '../../logging/logger.js';
import { BatchJobs } from '../dispatch/batch-jobs.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import { EXPIRE_LIMIT, expireAllWaiting } from '../dispatch/expire-waiting.js';
import type { LaneStore } from '../lanes/lane-store.js';
import type { Queues } from '../queues/queues.js';
import type { DueBatch, SweepStore } from './sweep-store.js';

/** Lanes that are looked at in one query, and batches that are looked up in the queue store side by side. */
const PAGE = 500;
const SIDE_BY_SIDE = 20;

/** How long a batch may be without a sign of its job before the sweeper looks for it, in milliseconds. */
const GRACE_MS = 3_000;

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
  readonly promoted: number;
  /** Deliveries that nothing can deliver any more. */
  readonly expired: number;
}

type Counts = { -readonly [count in keyof Sweep]: Sweep[count] };

/**
 * Makes good what fell between two steps, from Postgres alone: a process killed between commit and dispatch, or between claim
 * and job; a queue store that lost its jobs; a wake-up that never came. Everything it does is safe to do at any time and
 * twice, so it holds no lock.
 */
export class Sweeper {
  private readonly jobs: BatchJobs;

  constructor(private readonly parts: SweeperParts) {
    this.jobs = new BatchJobs(parts.queues);
  }

  /** Looks at every lane once. Throws what the stores throw, in the end; the next sweep begins anew. */
  async sweep(): Promise<Sweep> {
    const found = { dispatched: 0, rebuilt: 0, promoted: 0, expired: 0 };
    const parts = [() => this.idleLanes(found), () => this.dueBatches(found), () => this.orphans(found)];
    const errors: unknown[] = [];
    for (const part of parts) await part().catch((error: unknown) => errors.push(error));
    if (Object.values(found).some((count) => count > 0)) this.parts.logger.info(found, 'swept');
    if (errors.length > 0) throw errors[0];
    return found;
  }

  private async idleLanes(found: Counts): Promise<void> {
    const { sweeps, dispatcher } = this.parts;
    await eachPage(
      (after) => sweeps.idleLanesWithWork(after, PAGE),
      async ({ destinationId, inBackoff }) => {
        if (inBackoff) found.expired += await this.expireWaiting(destinationId);
        else if (await dispatcher.dispatch(destinationId)) found.dispatched += 1;
      },
    );
  }

  private async expireWaiting(destinationId: string): Promise<number> {
    let total = 0;
    await expireAllWaiting(this.parts, destinationId, (count) => {
      total += count;
    });
    return total;
  }

  private async dueBatches(found: Counts): Promise<void> {
    const { sweeps } = this.parts;
    await eachPage(
      (after) => sweeps.dueBatches(after, PAGE, GRACE_MS),
      async (batch) => {
        const presence = await this.jobs.promote(batch.targetKind, batch.batchId);
        if (presence === 'promoted') found.promoted += 1;
        else if (presence === 'missing' && (await this.rebuild(batch))) found.rebuilt += 1;
      },
    );
  }

  /** The same batch with the same events. One that was settled meanwhile has none left; its job would find nothing to do. */
  private async rebuild(batch: DueBatch): Promise<boolean> {
    const events = await this.parts.sweeps.eventsOfBatch(batch.destinationId, batch.batchId);
    if (events.length === 0) return false;
    await this.jobs.add({ ...batch, events });
    return true;
  }

  private async orphans(found: Counts): Promise<void> {
    const { sweeps } = this.parts;
    for (const destinationId of await sweeps.destinationsWithoutLane(PAGE)) {
      let step: number;
      do {
        step = await sweeps.expireOrphans(destinationId, EXPIRE_LIMIT);
        found.expired += step;
      } while (step > 0);
    }
  }
}

/**
 * Goes through lanes in the order of their ids, a page at a time, some of them side by side. One that fails does not keep the
 * others from being visited: its error is thrown in the end. When all of those side by side fail, it is the store that does,
 * and nothing more is tried.
 */
async function eachPage<T extends { readonly destinationId: string }>(
  page: (after: string) => Promise<readonly T[]>,
  visit: (lane: T) => Promise<void>,
): Promise<void> {
  let after = '';
  let failure: PromiseRejectedResult | undefined;
  for (;;) {
    const lanes = await page(after);
    for (let start = 0; start < lanes.length; start += SIDE_BY_SIDE) {
      const visits = await Promise.allSettled(lanes.slice(start, start + SIDE_BY_SIDE).map(visit));
      const failed = visits.filter((settled) => settled.status === 'rejected');
      failure ??= failed[0];
      if (failure && failed.length === SIDE_BY_SIDE) throw failure.reason;
    }
    const last = lanes.at(-1);
    if (last && lanes.length === PAGE) {
      after = last.destinationId;
      continue;
    }
    if (failure) throw failure.reason;
    return;
  }
}
