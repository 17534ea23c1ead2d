import type { Liveness } from '../../health/liveness.js';
import type { Logger } from '../../logging/logger.js';
import type { Connection, Outcome } from '../../targets/target.js';
import type { AttemptObserver } from '../delivery-observer.js';
import type { BatchDelivery } from '../lanes/batch-store.js';
import type { GrantedLease, Lease, Settlement } from '../lanes/lane.js';
import type { ActiveJob } from './active-job.js';
import { logAttempt } from './attempt-log.js';
import { AttemptRecorder, type RecorderParts } from './attempt-recorder.js';
import { BatchLoader, type LoadedBatch, type LoaderParts, type Prefetch } from './batch-loader.js';
import { runInSlot, type ConcurrencySlots } from './concurrency/concurrency-slots.js';
import { LeaseKeeper } from './lease-keeper.js';
import { settlementOf } from './settlement.js';
import { timedCall } from './timed-call.js';

/** What attempts are made with. */
export interface AttemptParts extends LoaderParts, RecorderParts {
  readonly liveness: Liveness;
  /** Longest time for one call to a target, in milliseconds. */
  readonly sendTimeoutMs: number;
  readonly logger: Logger;
}

/** The job that an attempt belongs to. */
export interface AttemptContext {
  readonly job: ActiveJob;
  readonly slots: ConcurrencySlots;
  /** Returns whether the job may claim the lane's next batch. */
  readonly mayContinue: () => boolean;
}

/** A batch that may be attempted. */
export interface LeasedBatch extends GrantedLease {
  /** The deliveries that were read before the batch was claimed. */
  readonly prefetch: Prefetch | null;
}

/** An attempt that is recorded. */
export interface SettledAttempt {
  readonly deliveries: readonly BatchDelivery[];
  readonly settlement: Settlement;
  /** The lane's next batch, where it was claimed when this one was recorded. */
  readonly next: LeasedBatch | null;
}

/** Makes attempts at batches: loads, sends and records a batch while its lease is kept. */
export class BatchAttempts {
  private readonly loader: BatchLoader;
  private readonly recorder: AttemptRecorder;
  /** One controller for each call: signals made by AbortSignal.any would pile up on a common one. */
  private readonly calls = new Set<AbortController>();

  constructor(private readonly parts: AttemptParts) {
    this.loader = new BatchLoader(parts);
    this.recorder = new AttemptRecorder(parts);
  }

  /** Aborts the calls under way; their outcomes are still recorded. */
  abort(): void {
    for (const call of this.calls) call.abort();
  }

  /**
   * Makes one attempt, whose start the caller has reported to `liveness`.
   * @throws an internal error: the batch stays in the lane, and may have been sent
   */
  async make({ lease, requestedAt, prefetch }: LeasedBatch, context: AttemptContext): Promise<SettledAttempt> {
    const { lanes, liveness, policy, observer, logger } = this.parts;
    const observed = observer.attempt(lease);
    const call = new AbortController();
    this.calls.add(call);
    const keeper = new LeaseKeeper(lanes, lease, requestedAt, call);
    try {
      const startedAt = new Date();
      const begun = performance.now();
      const batch = await this.loader.load(lease, prefetch);
      const { deliveries, bytes } = batch;
      const loaded = performance.now();
      const { outcomes, nextPrefetch } = await this.send(lease, batch, context, call, observed);
      const sent = performance.now();
      const durationMs = Math.round(sent - begun);
      const settlement = settlementOf(
        { deliveries, outcomes, startedAt, durationMs, failuresBefore: lease.failures },
        policy,
      );
      const claimNext = nextPrefetch !== null && context.mayContinue();
      const { recorded, next } = await this.recorder.record(lease, settlement, claimNext);
      observed.settled(deliveries, recorded);
      logAttempt(logger, {
        lease,
        deliveries,
        bytes,
        settlement: recorded,
        traceId: observed.traceId,
        loadMs: loaded - begun,
        sendMs: sent - loaded,
        settleMs: performance.now() - sent,
      });
      // The next attempt awaits the prefetch, while its lease is renewed.
      return { deliveries, settlement: recorded, next: next && { ...next, prefetch: nextPrefetch } };
    } finally {
      keeper.stop();
      this.calls.delete(call);
      liveness.finished(lease.token);
      observed.ended();
    }
  }

  /** Sends a batch, and prefetches the next one during the call. */
  private async send(
    lease: Lease,
    { deliveries, bytes, opened }: LoadedBatch,
    { job, slots }: AttemptContext,
    call: AbortController,
    observed: AttemptObserver,
  ): Promise<{ readonly outcomes: readonly Outcome[]; readonly nextPrefetch: Prefetch | null }> {
    const { sendTimeoutMs, logger } = this.parts;
    const { destinationId: destination, batchId } = lease;
    if (opened.kind === 'unusable') {
      logger.warn(
        { err: opened.error, destination, batch: batchId },
        'cannot open a connection to the destination; its events wait and are retried after a backoff',
      );
      return { outcomes: deliveries.map(() => opened.outcome), nextPrefetch: null };
    }
    job.showBatch(lease, deliveries);
    const nextPrefetch = this.loader.prefetch(lease, deliveries);
    observed.loaded(deliveries);
    try {
      const callLogger = logger.child({ destination, batch: batchId, trace_id: observed.traceId });
      const connection: Pick<Connection, 'send'> = {
        send: (events, signal) => opened.connection.send(events, signal, lease.latestTimestampMs),
      };
      const send = () => timedCall(connection, deliveries, sendTimeoutMs, call, callLogger);
      // The job of a failing destination was admitted with a slot of its own.
      const outcomes = await (lease.failures > 0 ? send() : runInSlot(slots, bytes, send));
      return { outcomes, nextPrefetch };
    } finally {
      observed.sent();
      opened.release();
    }
  }
}
