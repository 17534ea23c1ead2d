import type { Logger } from '../../logging/logger.js';
import type { Outcome } from '../../targets/target.js';
import { logAttempt } from './attempt-log.js';
import { AttemptRecorder, type RecorderParts } from './attempt-recorder.js';
import { BatchLoader, type LoadedBatch, type LoaderParts, type Prefetch } from './batch-loader.js';
import type { BatchDelivery } from '../lanes/batch-store.js';
import type { AttemptObserver } from '../delivery-observer.js';
import type { GrantedLease, Lease, Settlement } from '../lanes/lane.js';
import { LeaseKeeper } from './lease-keeper.js';
import type { Liveness } from '../../health/liveness.js';
import type { ActiveJob } from './active-job.js';
import { settlementOf } from './settlement.js';
import { timedCall } from './timed-call.js';
import { runInSlot, type ConcurrencySlots } from './concurrency/concurrency-slots.js';

/** What attempts are made with. */
export interface AttemptParts extends LoaderParts, RecorderParts {
  readonly liveness: Liveness;
  /** Longest that one call to a target may take, in milliseconds. */
  readonly sendTimeoutMs: number;
  readonly logger: Logger;
}

/** The run of a job that an attempt belongs to. */
export interface Run {
  readonly job: ActiveJob;
  readonly places: ConcurrencySlots;
  /** Whether the job may go on with the batch behind the one that it is at. */
  readonly goesOn: () => boolean;
}

/** A batch that may be attempted. */
export interface LeasedBatch extends GrantedLease {
  /** What is read of it since before it was claimed. */
  readonly ahead: Prefetch | null;
}

/** An attempt that is recorded. */
export interface SettledAttempt {
  readonly deliveries: readonly BatchDelivery[];
  readonly settlement: Settlement;
  /** The batch that was taken when this one was recorded. */
  readonly next: LeasedBatch | null;
}

/** Makes attempts at batches: loads a batch, sends it and records what became of it, under its lease all the while. */
export class BatchAttempts {
  private readonly loader: BatchLoader;
  private readonly recorder: AttemptRecorder;
  /** The calls under way. A controller for each, for signals made with AbortSignal.any would pile up on a common one. */
  private readonly calls = new Set<AbortController>();

  constructor(private readonly parts: AttemptParts) {
    this.loader = new BatchLoader(parts);
    this.recorder = new AttemptRecorder(parts);
  }

  /** Ends the calls that are under way; what they did is still recorded. */
  abort(): void {
    for (const call of this.calls) call.abort();
  }

  /**
   * Makes one attempt; whoever asks for it has told `liveness` that it begins.
   * @throws a fault of ours: the batch stays in the lane, and may have been sent
   */
  async make({ lease, requestedAt, ahead }: LeasedBatch, run: Run): Promise<SettledAttempt> {
    const { lanes, liveness, policy, observer, logger } = this.parts;
    const watch = observer.attempt(lease);
    const call = new AbortController();
    this.calls.add(call);
    const keeper = new LeaseKeeper(lanes, lease, requestedAt, call);
    try {
      const startedAt = new Date();
      const begun = performance.now();
      const batch = await this.loader.load(lease, ahead);
      const { deliveries, bytes } = batch;
      const loaded = performance.now();
      const { outcomes, prefetch } = await this.send(lease, batch, run, call, watch);
      const sent = performance.now();
      const durationMs = Math.round(sent - begun);
      const settlement = settlementOf(
        { deliveries, outcomes, startedAt, durationMs, failuresBefore: lease.failures },
        policy,
      );
      const takeNext = prefetch !== null && run.goesOn();
      const { recorded, next } = await this.recorder.record(lease, settlement, takeNext);
      watch.settled(deliveries, recorded);
      logAttempt(logger, {
        lease,
        deliveries,
        bytes,
        settlement: recorded,
        traceId: watch.traceId,
        loadMs: loaded - begun,
        sendMs: sent - loaded,
        settleMs: performance.now() - sent,
      });
      // What is read ahead is waited for by the next attempt, which keeps its lease meanwhile.
      return { deliveries, settlement: recorded, next: next && { ...next, ahead: prefetch } };
    } finally {
      keeper.stop();
      this.calls.delete(call);
      liveness.finished(lease.token);
      watch.ended();
    }
  }

  /** Sends a batch, and begins meanwhile to read what waits behind it. */
  private async send(
    lease: Lease,
    { deliveries, bytes, opened }: LoadedBatch,
    { job, places }: Run,
    call: AbortController,
    watch: AttemptObserver,
  ): Promise<{ readonly outcomes: readonly Outcome[]; readonly prefetch: Prefetch | null }> {
    const { sendTimeoutMs, logger } = this.parts;
    const { destinationId: destination, batchId } = lease;
    if (opened.kind === 'unusable') {
      logger.warn({ err: opened.error, destination }, 'a destination cannot be used');
      return { outcomes: deliveries.map(() => opened.outcome), prefetch: null };
    }
    job.show(lease, deliveries);
    const prefetch = this.loader.prefetch(lease, deliveries);
    watch.loaded(deliveries);
    try {
      const about = logger.child({ destination, batch: batchId, trace_id: watch.traceId });
      const outcomes = await runInSlot(places, bytes, lease.failures > 0, () =>
        timedCall(opened.connection, deliveries, sendTimeoutMs, call, about),
      );
      return { outcomes, prefetch };
    } finally {
      watch.sent();
      opened.release();
    }
  }
}
