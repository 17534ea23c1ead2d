import { isStoreFailure } from '../../database/store-failure.js';
import { newId } from '../../ids/id.js';
import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import { targetKinds } from '../../targets/target.js';
import { Grouped } from '../../timing/grouped.js';
import { unobserved, type DeliveryObserver } from '../delivery-observer.js';
import type { ClaimedBatch, LaneStore, ResumedBatch } from '../lanes/lane-store.js';
import type { Queues } from '../queues/queues.js';
import { BatchJobs } from './batch-jobs.js';

/** Claims of several lanes that run at once in one process: the jobs of one are added while the other reads. */
const CLAIM_GROUPS = 2;
/** Most lanes of such a claim. */
const LANES_PER_CLAIM = 100;
/** Claims of one lane that run at once. Each may wait for the lock of its lane. */
const LONE_CLAIMS = 4;

/**
 * Waits after a resume before the batch's job is promoted once more, in milliseconds: a worker may delay or add it
 * after the resume.
 */
const PROMOTE_RETRIES_MS = [100, 500, 2_000];

/** Whether a job was added for a lane; `left`: the lane is to be claimed alone. */
type Claimed = boolean | 'left';

/**
 * Turns pending deliveries into jobs: after a commit in the API, after a batch in the worker, and in sweeps. Nothing
 * here throws or retries: the sweeper repairs what is missed when a store is down or a process dies between claim and
 * job.
 */
export class Dispatcher {
  private readonly jobs: BatchJobs;
  private readonly errors: ThrottledLog;
  private readonly claims: Grouped<string, Claimed>;
  /** Claims that a group has left. They run beside the groups, so that no other lane waits for a lock. */
  private readonly loneClaims: Grouped<string, boolean>;
  /** Lanes that are being claimed, or wait for that. */
  private dispatches = 0;
  private idleWaiters: (() => void)[] = [];

  constructor(
    private readonly lanes: LaneStore,
    queues: Queues,
    logger: Logger,
    private readonly observer: DeliveryObserver = unobserved,
  ) {
    this.jobs = new BatchJobs(queues);
    this.errors = new ThrottledLog(logger);
    // A lane that waits for its claim need not wait twice: the claim begins after the commit of either caller.
    const rules = { mayBeOfOne: (error: unknown) => !isStoreFailure(error), key: (id: string) => id };
    const groups = { groups: CLAIM_GROUPS, items: LANES_PER_CLAIM };
    this.claims = new Grouped((ids) => this.claimGroup(ids), groups, rules);
    const lone = { groups: LONE_CLAIMS, items: 1 };
    this.loneClaims = new Grouped(async (ids) => Promise.all(ids.map((id) => this.claimAlone(id))), lone, rules);
  }

  /**
   * Claims a batch in each of these lanes that is idle and has one, after the commit of its deliveries or of its
   * settlement. Returns at once and never throws. A lane that is busy, the usual case under load, costs one read.
   */
  notify(destinationIds: readonly string[]): void {
    for (const id of destinationIds) void this.dispatch(id);
  }

  /** Resolves when every lane that was named is claimed. */
  async idle(): Promise<void> {
    if (this.dispatches === 0) return;
    await new Promise<void>((resolve) => this.idleWaiters.push(resolve));
  }

  /**
   * Claims one lane's next batch, if it is idle and has one, and adds its job. A batch whose job cannot be added stays
   * claimed until the sweeper adds it: released, it would be claimed and fail again with each change. Never throws.
   * @returns whether a job was added
   */
  async dispatch(destinationId: string): Promise<boolean> {
    this.dispatches += 1;
    try {
      const claimed = await this.claims.call(destinationId);
      return claimed === 'left' ? await this.loneClaims.call(destinationId) : claimed;
    } catch (error) {
      this.errors.warn(error, 'cannot claim a batch or add its job; the sweeper will dispatch it', {
        destination: destinationId,
      });
      return false;
    } finally {
      this.dispatches -= 1;
      if (this.dispatches === 0) for (const resolve of this.idleWaiters.splice(0)) resolve();
    }
  }

  private async claimGroup(ids: readonly string[]): Promise<readonly Claimed[]> {
    const claims = await this.lanes.claimGroup(ids.map((destinationId) => ({ destinationId, batchId: newId('bat') })));
    const added = await this.addJobs(claims.filter((claim) => claim !== 'left' && claim !== null));
    return claims.map((claim) => (claim === 'left' ? 'left' : claim !== null && added.has(claim)));
  }

  private async claimAlone(destinationId: string): Promise<boolean> {
    const batch = await this.lanes.claim(destinationId, newId('bat'));
    return batch !== null && (await this.addJobs([batch])).has(batch);
  }

  /** Adds the jobs of claimed batches. Returns the batches whose jobs were added; never throws. */
  private async addJobs(batches: readonly ClaimedBatch[]): Promise<ReadonlySet<ClaimedBatch>> {
    const added = new Set<ClaimedBatch>();
    await Promise.all(
      targetKinds.map(async (kind) => {
        const ofKind = batches.filter(({ targetKind }) => targetKind === kind);
        if (ofKind.length === 0) return;
        try {
          await this.jobs.addAll(kind, ofKind);
        } catch (error) {
          this.errors.warn(error, 'cannot claim a batch or add its job; the sweeper will dispatch it', {
            destination: ofKind[0]?.destinationId,
            batches: ofKind.length,
          });
          return;
        }
        for (const batch of ofKind) {
          added.add(batch);
          this.observer.claimed(kind, batch.events.length);
        }
      }),
    );
    return added;
  }

  /**
   * Adds a job for a batch that another batch's job has claimed and that needs another attempt.
   * @param delayMs the lane's backoff, in milliseconds
   * @throws what the queue store returns
   */
  async addJob(batch: ClaimedBatch, delayMs: number): Promise<void> {
    await this.jobs.add(batch, delayMs);
  }

  /**
   * Ends a lane's backoff and attempts its batch at once, since its destination was changed or tested, or its pause has
   * ended. Never throws.
   */
  async resume(destinationId: string): Promise<void> {
    try {
      const batch = await this.lanes.resume(destinationId);
      if (!batch) {
        this.notify([destinationId]);
        return;
      }
      const presence = await this.jobs.resume(batch.targetKind, batch.batchId);
      // Lost, perhaps in a pause, in which the sweeper adds no job; or the job that claimed the batch adds it.
      if (presence === 'missing' && !batch.isLeased) await this.addMissing(batch);
      if (presence === 'active' || presence === 'missing') this.promoteLater(batch);
    } catch (error) {
      this.errors.warn(error, 'cannot resume a lane; its next attempt waits for its backoff or the sweeper', {
        destination: destinationId,
      });
    }
  }

  private async addMissing(batch: ResumedBatch): Promise<void> {
    const events = await this.lanes.eventsOf(batch);
    if (events.length > 0) await this.jobs.add({ ...batch, events, failures: 0 });
  }

  /**
   * Promotes the job again, in case an attempt that settled with a backoff just before the resume delays or adds it
   * just after the resume. An attempt that settles after the resume has no backoff.
   */
  private promoteLater({ targetKind, batchId }: ResumedBatch): void {
    for (const ms of PROMOTE_RETRIES_MS) {
      setTimeout(() => {
        // The sweeper promotes what is missed.
        this.jobs.resume(targetKind, batchId).catch(() => undefined);
      }, ms).unref();
    }
  }
}
