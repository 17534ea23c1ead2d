import { newId } from '../../ids/id.js';
import type { Logger } from '../../logging/logger.js';
import { BatchJobs } from './batch-jobs.js';
import { unobserved, type DeliveryObserver } from '../delivery-observer.js';
import type { ClaimedBatch, LaneStore } from '../lanes/lane-store.js';
import type { Queues } from '../queues/queues.js';
import type { TargetKind } from '../../targets/target.js';
import { ThrottledLog } from '../../logging/throttled-log.js';

/** Lanes that one process claims at once: enough to hide the round trips, few enough to leave the pool to others. */
const CONCURRENT_CLAIMS = 6;
/** Most lanes that are looked at in one statement. */
const LANES_PER_CHECK = 100;

/** When a job that a worker had at a resume, or that was not there, is looked at again, in milliseconds: it is delayed right after its settlement. */
const PROMOTE_AGAIN_MS = [100, 500, 2_000];

/**
 * Turns waiting deliveries into jobs. Runs wherever work may have appeared: after a commit in the API, after a batch in the
 * worker, in the sweeper. Whatever it misses (a store that is down, a process that dies between claim and job), the sweeper
 * finds; so nothing here throws, and nothing is retried here.
 */
export class Dispatcher {
  private readonly jobs: BatchJobs;
  private readonly errors: ThrottledLog;
  /** Lanes to look at, in order of arrival; one that is being looked at may be in it again. */
  private readonly waiting = new Set<string>();
  /** Lanes that are being looked at or claimed. */
  private readonly running = new Set<string>();
  private workers = 0;
  private idleWaiters: (() => void)[] = [];

  /** @param observer absent where nothing is measured */
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
   * Says that deliveries were committed for these destinations: whichever lane is idle is claimed. Returns at once, never
   * throws, and looks once at a lane that is touched many times meanwhile. A look is much cheaper than a claim that finds the lane busy,
   * which is what most changes find under load.
   */
  notify(destinationIds: readonly string[]): void {
    for (const id of destinationIds) this.waiting.add(id);
    this.next();
  }

  /** Resolves when everything that was touched so far has been looked at. */
  async idle(): Promise<void> {
    if (this.waiting.size === 0 && this.running.size === 0) return;
    await new Promise<void>((resolve) => this.idleWaiters.push(resolve));
  }

  private next(): void {
    while (this.workers < CONCURRENT_CLAIMS) {
      const lanes = this.takeWaiting();
      if (lanes.length === 0) break;
      this.workers += 1;
      void this.checkLanes(lanes);
    }
    if (this.waiting.size > 0 || this.running.size > 0) return;
    const idle = this.idleWaiters;
    this.idleWaiters = [];
    for (const resolve of idle) resolve();
  }

  /** A share of the lanes that wait, which leaves something to the other workers. */
  private takeWaiting(): readonly string[] {
    const share = Math.min(LANES_PER_CHECK, Math.ceil(this.waiting.size / CONCURRENT_CLAIMS));
    const taken: string[] = [];
    for (const id of this.waiting) {
      if (taken.length === share) break;
      // What was touched while it runs was perhaps committed after the look's snapshot: it needs a look of its own.
      if (this.running.has(id)) continue;
      this.waiting.delete(id);
      this.running.add(id);
      taken.push(id);
    }
    return taken;
  }

  private async checkLanes(lanes: readonly string[]): Promise<void> {
    const claimable = await this.claimable(lanes);
    for (const id of lanes) if (!claimable.includes(id)) this.running.delete(id);
    this.next();
    for (const id of claimable) {
      await this.dispatch(id);
      this.running.delete(id);
      // One that was touched again meanwhile does not wait for the others of this look.
      this.next();
    }
    this.workers -= 1;
    this.next();
  }

  private async claimable(lanes: readonly string[]): Promise<readonly string[]> {
    try {
      return await this.lanes.claimable(lanes);
    } catch (error) {
      this.errors.warn(error, 'lanes could not be looked at; the sweeper will do it');
      return [];
    }
  }

  /**
   * Claims one lane's next batch, if it is idle and has one, and adds its job. Where the job cannot be added, the batch stays
   * claimed: given back, it would be claimed and fail again with every change until the queue store is there; as it is, later
   * changes find the lane busy, and the sweeper adds the job.
   * @returns whether a job was added. Never throws.
   */
  async dispatch(destinationId: string): Promise<boolean> {
    try {
      const batch = await this.lanes.claim(destinationId, newId('bat'));
      if (!batch) return false;
      await this.jobs.add(batch);
      this.observer.claimed(batch.targetKind, batch.events.length);
      return true;
    } catch (error) {
      this.errors.warn(error, 'a lane could not be dispatched; the sweeper will do it', {
        destination: destinationId,
      });
      return false;
    }
  }

  /**
   * Adds a job for a batch that was taken by the job of another batch and is not over.
   * @param delayMs the lane's backoff, in milliseconds
   * @throws what the queue store answers
   */
  async addJob(batch: ClaimedBatch, delayMs: number): Promise<void> {
    await this.jobs.add(batch, delayMs);
  }

  /** Ends a lane's backoff: its destination was changed or tested, so it is tried at once. Never throws. */
  async resume(destinationId: string): Promise<void> {
    try {
      const held = await this.lanes.resume(destinationId);
      if (!held) {
        this.notify([destinationId]);
        return;
      }
      const presence = await this.jobs.promote(held.targetKind, held.batchId);
      // A missing job is about to be added by the job that took its batch, or the sweeper's to rebuild.
      if (presence === 'active' || presence === 'missing') this.promoteLater(held);
    } catch (error) {
      this.errors.warn(error, 'a lane could not be resumed; the sweeper will do it', {
        destination: destinationId,
      });
    }
  }

  /**
   * An attempt that has settled with a backoff just before the resume delays its job, or adds one that is delayed, just after it: it
   * is promoted then. One that settles later knows of the resume by itself.
   */
  private promoteLater({ targetKind, batchId }: { targetKind: TargetKind; batchId: string }): void {
    for (const ms of PROMOTE_AGAIN_MS) {
      setTimeout(() => {
        // What this misses, the sweeper finds.
        this.jobs.promote(targetKind, batchId).catch(() => undefined);
      }, ms).unref();
    }
  }
}
