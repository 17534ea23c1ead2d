import type { Logger } from '../../logging/logger.js';
import { BatchJobs } from '../dispatch/batch-jobs.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import { EXPIRE_LIMIT, expireAllWaiting } from '../dispatch/expire-waiting.js';
import type { LaneStore } from '../lanes/lane-store.js';
import type { Queues } from '../queues/queues.js';
import type { DueBatch, SweepStore } from './sweep-store.js';

/** Lanes of one query. */
const PAGE_SIZE = 500;
/** Lanes that are repaired concurrently. */
const CONCURRENCY = 20;

/** How long a batch may have no attempt before the sweeper checks its job, in milliseconds. */
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

/** What one sweep repaired. */
export interface Sweep {
  /** Idle lanes with pending deliveries. */
  readonly dispatched: number;
  /** Jobs that were lost. */
  readonly rebuilt: number;
  /** Jobs that were delayed beyond their lane's backoff. */
  readonly promoted: number;
  /** Deliveries that cannot be delivered any more. */
  readonly expired: number;
}

type Counts = { -readonly [count in keyof Sweep]: Sweep[count] };

/**
 * Repairs what an interrupted step left, from Postgres alone: a process killed between commit and dispatch, or between
 * claim and job; a queue store that lost its jobs; a lost wake-up. Each repair is safe at any time, and twice, so the
 * sweeper holds no lock.
 */
export class Sweeper {
  private readonly jobs: BatchJobs;

  constructor(private readonly parts: SweeperParts) {
    this.jobs = new BatchJobs(parts.queues);
  }

  /**
   * Checks every lane once.
   * @throws what the stores throw, after everything else was checked
   */
  async sweep(): Promise<Sweep> {
    const found = { dispatched: 0, rebuilt: 0, promoted: 0, expired: 0 };
    const checks = [() => this.idleLanes(found), () => this.dueBatches(found), () => this.orphans(found)];
    const errors: unknown[] = [];
    for (const check of checks) await check().catch((error: unknown) => errors.push(error));
    if (Object.values(found).some((count) => count > 0))
      this.parts.logger.info(found, 'sweep repaired lanes, jobs or deliveries');
    if (errors.length > 0) throw errors[0];
    return found;
  }

  private async idleLanes(found: Counts): Promise<void> {
    const { sweeps, dispatcher } = this.parts;
    await eachPage(
      (after) => sweeps.idleLanesWithWork(after, PAGE_SIZE),
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
      (after) => sweeps.dueBatches(after, PAGE_SIZE, GRACE_MS),
      async (batch) => {
        const presence = await this.jobs.promote(batch.targetKind, batch.batchId);
        if (presence === 'promoted') found.promoted += 1;
        else if (presence === 'missing' && (await this.rebuild(batch))) found.rebuilt += 1;
      },
    );
  }

  /** Adds the job of a batch again, unless the batch is settled by now. */
  private async rebuild(batch: DueBatch): Promise<boolean> {
    const events = await this.parts.sweeps.eventsOfBatch(batch.destinationId, batch.batchId);
    if (events.length === 0) return false;
    await this.jobs.add({ ...batch, events });
    return true;
  }

  private async orphans(found: Counts): Promise<void> {
    const { sweeps } = this.parts;
    for (const destinationId of await sweeps.destinationsWithoutLane(PAGE_SIZE)) {
      let expired: number;
      do {
        expired = await sweeps.expireOrphans(destinationId, EXPIRE_LIMIT);
        found.expired += expired;
      } while (expired > 0);
    }
  }
}

/**
 * Visits lanes in the order of their ids, page by page, some of them concurrently. When a visit fails, the others are
 * still made, and its error is thrown in the end. When all concurrent visits fail, the store is down: the error is
 * thrown at once.
 */
async function eachPage<T extends { readonly destinationId: string }>(
  page: (after: string) => Promise<readonly T[]>,
  visit: (lane: T) => Promise<void>,
): Promise<void> {
  let after = '';
  let failure: PromiseRejectedResult | undefined;
  for (;;) {
    const lanes = await page(after);
    for (let start = 0; start < lanes.length; start += CONCURRENCY) {
      const visits = await Promise.allSettled(lanes.slice(start, start + CONCURRENCY).map(visit));
      const failed = visits.filter((settled) => settled.status === 'rejected');
      failure ??= failed[0];
      if (failure && failed.length === CONCURRENCY) throw failure.reason;
    }
    const last = lanes.at(-1);
    if (last && lanes.length === PAGE_SIZE) {
      after = last.destinationId;
      continue;
    }
    if (failure) throw failure.reason;
    return;
  }
}
