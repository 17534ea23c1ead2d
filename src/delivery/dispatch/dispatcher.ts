import { newId } from '../../ids/id.js';
import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import type { TargetKind } from '../../targets/target.js';
import { unobserved, type DeliveryObserver } from '../delivery-observer.js';
import type { ClaimedBatch, LaneStore } from '../lanes/lane-store.js';
import type { Queues } from '../queues/queues.js';
import { BatchJobs } from './batch-jobs.js';

/**
 * Checks of lanes that run concurrently in one process: enough to hide the round trips, without exhausting the pool.
 */
const CONCURRENT_CHECKS = 6;
/** Most lanes that one statement checks. */
const LANES_PER_CHECK = 100;

/**
 * Waits after a resume before the batch's job is promoted once more, in milliseconds: a worker may delay or add it
 * after the resume.
 */
const PROMOTE_RETRIES_MS = [100, 500, 2_000];

/**
 * Turns pending deliveries into jobs: after a commit in the API, after a batch in the worker, and in sweeps. Nothing
 * here throws or retries: the sweeper repairs what is missed when a store is down or a process dies between claim and
 * job.
 */
export class Dispatcher {
  private readonly jobs: BatchJobs;
  private readonly errors: ThrottledLog;
  /** Lanes to be checked, in order of arrival. A lane that is being checked may be in it again. */
  private readonly waiting = new Set<string>();
  /** Lanes that are being checked or claimed. */
  private readonly inProgress = new Set<string>();
  private checks = 0;
  private idleWaiters: (() => void)[] = [];

  constructor(
    private readonly lanes: LaneStore,
    queues: Queues,
    logger: Logger,
    private readonly observer: DeliveryObserver = unobserved,
  ) {
    this.jobs = new BatchJobs(queues);
    this.errors = new ThrottledLog(logger);
  }

  /**
   * Checks the lanes of these destinations, whose deliveries were committed, and claims a batch in each that is idle.
   * Returns at once and never throws. A check costs much less than a claim that finds the lane busy, which is the usual
   * case under load.
   */
  notify(destinationIds: readonly string[]): void {
    for (const id of destinationIds) this.waiting.add(id);
    this.next();
  }

  /** Resolves when every lane that `notify` named is checked. */
  async idle(): Promise<void> {
    if (this.waiting.size === 0 && this.inProgress.size === 0) return;
    await new Promise<void>((resolve) => this.idleWaiters.push(resolve));
  }

  private next(): void {
    while (this.checks < CONCURRENT_CHECKS) {
      const lanes = this.takeShare();
      if (lanes.length === 0) break;
      this.checks += 1;
      void this.checkLanes(lanes);
    }
    if (this.waiting.size > 0 || this.inProgress.size > 0) return;
    const idle = this.idleWaiters;
    this.idleWaiters = [];
    for (const resolve of idle) resolve();
  }

  /** Takes a share of the waiting lanes, and leaves lanes for the other checks. */
  private takeShare(): readonly string[] {
    const share = Math.min(LANES_PER_CHECK, Math.ceil(this.waiting.size / CONCURRENT_CHECKS));
    const taken: string[] = [];
    for (const id of this.waiting) {
      if (taken.length === share) break;
      // Its deliveries may have been committed after the snapshot of the check in progress: it needs a check of its
      // own.
      if (this.inProgress.has(id)) continue;
      this.waiting.delete(id);
      this.inProgress.add(id);
      taken.push(id);
    }
    return taken;
  }

  private async checkLanes(lanes: readonly string[]): Promise<void> {
    const claimable = await this.claimable(lanes);
    for (const id of lanes) if (!claimable.includes(id)) this.inProgress.delete(id);
    this.next();
    for (const id of claimable) {
      await this.dispatch(id);
      this.inProgress.delete(id);
      // A lane that was notified again does not wait for the other lanes of this check.
      this.next();
    }
    this.checks -= 1;
    this.next();
  }

  private async claimable(lanes: readonly string[]): Promise<readonly string[]> {
    try {
      return await this.lanes.claimable(lanes);
    } catch (error) {
      this.errors.warn(error, 'cannot check lanes for pending deliveries; the sweeper will dispatch them', {
        lanes: lanes.length,
      });
      return [];
    }
  }

  /**
   * Claims one lane's next batch, if it is idle and has one, and adds its job. A batch whose job cannot be added stays
   * claimed until the sweeper adds it: released, it would be claimed and fail again with each change. Never throws.
   * @returns whether a job was added
   */
  async dispatch(destinationId: string): Promise<boolean> {
    try {
      const batch = await this.lanes.claim(destinationId, newId('bat'));
      if (!batch) return false;
      await this.jobs.add(batch);
      this.observer.claimed(batch.targetKind, batch.events.length);
      return true;
    } catch (error) {
      this.errors.warn(error, 'cannot claim a batch or add its job; the sweeper will dispatch it', {
        destination: destinationId,
      });
      return false;
    }
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
   * Ends a lane's backoff and attempts its batch at once, since its destination was changed or tested. Never throws.
   */
  async resume(destinationId: string): Promise<void> {
    try {
      const batch = await this.lanes.resume(destinationId);
      if (!batch) {
        this.notify([destinationId]);
        return;
      }
      const presence = await this.jobs.resume(batch.targetKind, batch.batchId);
      // A missing job is about to be added by the job that claimed its batch, or the sweeper will add it.
      if (presence === 'active' || presence === 'missing') this.promoteLater(batch);
    } catch (error) {
      this.errors.warn(error, 'cannot resume a lane; its next attempt waits for its backoff or the sweeper', {
        destination: destinationId,
      });
    }
  }

  /**
   * Promotes the job again, in case an attempt that settled with a backoff just before the resume delays or adds it
   * just after the resume. An attempt that settles after the resume has no backoff.
   */
  private promoteLater({ targetKind, batchId }: { targetKind: TargetKind; batchId: string }): void {
    for (const ms of PROMOTE_RETRIES_MS) {
      setTimeout(() => {
        // The sweeper promotes what is missed.
        this.jobs.resume(targetKind, batchId).catch(() => undefined);
      }, ms).unref();
    }
  }
}
