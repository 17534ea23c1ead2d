import type { Logger } from '../../logging/logger.js';
import { unattended, type MaintenanceTask, type TurnControl } from '../../maintenance/maintenance.js';
import type { DeliveryObserver } from '../delivery-observer.js';
import { BatchJobs } from '../dispatch/batch-jobs.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { Epochs } from '../epochs/epochs.js';
import type { LaneStore } from '../lanes/lane-store.js';
import type { Queues } from '../queues/queues.js';
import type { EpochStarts } from './epoch-starts.js';
import { expireWaiting } from './expire-waiting.js';
import type { DueBatch, SweepStore, SweptLane } from './sweep-store.js';

/** Lanes of one query. */
const PAGE_SIZE = 2_000;

/**
 * How long the queries of one sweep may take, in milliseconds. Some thousand lanes fit, so only a large installation
 * needs several sweeps for all lanes.
 */
const BUDGET_MS = 50;

/** Lanes that are repaired concurrently. */
const CONCURRENCY = 20;

/** How long a batch may have no attempt before the sweeper checks its job, in milliseconds. */
const GRACE_MS = 3_000;

/** How long the job of a failing destination may wait behind the others, in milliseconds. */
const BEHIND_MS = 60_000;

/** Most jobs that a sweep raises: thousands at once would delay the destinations that do not fail. */
const RAISED_PER_SWEEP = 10;

/** What a sweeper works with. */
export interface SweeperParts {
  readonly sweeps: SweepStore;
  readonly lanes: LaneStore;
  readonly dispatcher: Dispatcher;
  readonly queues: Queues;
  readonly epochs: Pick<Epochs, 'checkIfFenced'>;
  readonly epochStarts: EpochStarts;
  /** How long a delivery is tried, in milliseconds. */
  readonly deadlineMs: number;
  /** Interval between two sweeps, in milliseconds. */
  readonly intervalMs: number;
  readonly observer: Pick<DeliveryObserver, 'swept'>;
  readonly logger: Logger;
  /** Default: BUDGET_MS. */
  readonly budgetMs?: number | undefined;
  /** For the sweep after the death of a worker. */
  readonly afterDeath?: AfterDeath | undefined;
}

/** The death of a worker, which had taken jobs. */
export interface AfterDeath {
  /** Names the death in the ids of new jobs. */
  readonly name: string;
  /** How long ago it was at least, in milliseconds. A live worker has leased the batch of its job by then. */
  readonly sinceMs: number;
}

/** What one sweep repaired. */
export interface Sweep {
  /** Idle lanes with pending deliveries. */
  readonly dispatched: number;
  /** Jobs that were lost. */
  readonly rebuilt: number;
  /** Jobs that were delayed beyond their lane's backoff. */
  readonly promoted: number;
  /** Jobs of failing destinations that have waited behind the others for too long, and run next. */
  readonly raised: number;
  /** Deliveries past their deadline in a lane in backoff. */
  readonly expired: number;
}

type Counts = { -readonly [count in keyof Sweep]: Sweep[count] };

/**
 * Repairs what an interrupted step left, from Postgres alone: a process killed between commit and dispatch, or between
 * claim and job; a queue store that lost its jobs; a lost wake-up. Each repair is safe at any time, and twice, so the
 * sweeper holds no lock.
 */
export class Sweeper implements MaintenanceTask {
  readonly name = 'sweep';
  readonly intervalMs: number;
  private readonly jobs: BatchJobs;
  /** The next sweep begins behind this lane. */
  private after = '';
  /** Until every lane was checked once: after the death of a process, repairs do not wait for their turn. */
  private isFirst = true;

  constructor(private readonly parts: SweeperParts) {
    this.jobs = new BatchJobs(parts.queues);
    this.intervalMs = parts.intervalMs;
  }

  /** Sweeps. @throws as `sweep` */
  async run(control?: TurnControl): Promise<void> {
    await this.sweep(control);
  }

  /** Sweeps all lanes after the death of a worker: the batches that it had not leased as well. @throws as `sweep` */
  async sweepAfter(death: AfterDeath): Promise<void> {
    await new Sweeper({ ...this.parts, afterDeath: death }).run();
  }

  /**
   * Checks lanes and repairs them. The first sweep of a process checks every lane; a later one checks pages of lanes
   * for `budgetMs`, and the next one continues behind them. Reports what was repaired, also when a check failed. Ends
   * early, without an error, when `stopped` aborts.
   * @throws what the stores throw, after everything else was checked
   */
  async sweep(control: TurnControl = unattended): Promise<Sweep> {
    const found = { dispatched: 0, rebuilt: 0, promoted: 0, raised: 0, expired: 0 };
    const errors: unknown[] = [];
    const { epochs, epochStarts } = this.parts;
    const checks = [
      // Not awaited until claims are allowed: the next sweep follows then.
      () => epochs.checkIfFenced(),
      // Before the walk: nothing else is done in a lane that has not begun the epoch.
      () => epochStarts.run(control),
      () => this.walk((lane) => this.repair(lane, found, control), control),
    ];
    for (const check of checks) await check().catch((error: unknown) => errors.push(error));
    if (Object.values(found).some((count) => count > 0))
      this.parts.logger.info(found, 'sweep repaired lanes, jobs or deliveries');
    this.parts.observer.swept(found);
    if (errors.length > 0) throw errors[0];
    return found;
  }

  /**
   * Visits lanes, some of them concurrently. When a visit fails, the others are still made, and its error is thrown in
   * the end. When all concurrent visits fail, the store is down: the error is thrown at once.
   */
  private async walk(visit: (lane: SweptLane) => Promise<void>, { stopped, progressed }: TurnControl): Promise<void> {
    const { sweeps, budgetMs = BUDGET_MS, afterDeath } = this.parts;
    let failure: PromiseRejectedResult | undefined;
    let spentMs = 0;
    do {
      const begun = performance.now();
      const { lanes, next } = await sweeps.page(this.after, PAGE_SIZE, afterDeath?.sinceMs ?? GRACE_MS);
      spentMs += performance.now() - begun;
      progressed();
      for (let start = 0; start < lanes.length && !stopped.aborted; start += CONCURRENCY) {
        const visits = await Promise.allSettled(lanes.slice(start, start + CONCURRENCY).map(visit));
        const failed = visits.filter((settled) => settled.status === 'rejected');
        failure ??= failed[0];
        if (failure && failed.length === CONCURRENCY) throw failure.reason;
        progressed();
      }
      if (stopped.aborted) break;
      this.after = next ?? '';
      if (next === null) this.isFirst = false;
    } while (this.after !== '' && (this.isFirst || spentMs < budgetMs));
    if (failure) throw failure.reason;
  }

  private async repair(lane: SweptLane, found: Counts, { progressed }: TurnControl): Promise<void> {
    if (lane.kind === 'due') await this.repairBatch(lane, found);
    else if (lane.inBackoff)
      await expireWaiting(this.parts, lane.destinationId, (count) => {
        found.expired += count;
        progressed();
      });
    else if (await this.parts.dispatcher.dispatch(lane.destinationId)) found.dispatched += 1;
  }

  private async repairBatch(batch: DueBatch, found: Counts): Promise<void> {
    const { afterDeath } = this.parts;
    const presence = await this.jobs.promote(batch.targetKind, batch.batchId);
    if (presence === 'promoted') found.promoted += 1;
    else if (presence === 'behind') await this.raiseIfLate(batch, found);
    else if (presence === 'missing' && (await this.rebuild(batch))) found.rebuilt += 1;
    else if (presence === 'active' && afterDeath && (await this.rebuild(batch, afterDeath))) found.rebuilt += 1;
  }

  /** While a worker has more jobs than it can run, the jobs behind would never run. */
  private async raiseIfLate({ targetKind, batchId, waitedMs }: DueBatch, found: Counts): Promise<void> {
    if (waitedMs < BEHIND_MS || found.raised >= RAISED_PER_SWEEP) return;
    found.raised += 1;
    await this.jobs.raise(targetKind, batchId);
  }

  /**
   * Adds the job of a batch again, unless the batch is settled by now.
   * @param afterDeath where the batch's own job may be that of a dead worker
   */
  private async rebuild(batch: DueBatch, afterDeath?: AfterDeath): Promise<boolean> {
    const events = await this.parts.lanes.eventsOf(batch);
    if (events.length === 0) return false;
    if (afterDeath) await this.jobs.addAfter(afterDeath.name, { ...batch, events });
    else await this.jobs.add({ ...batch, events });
    return true;
  }
}
