import type { Liveness } from '../../health/liveness.js';
import { plainLogger, type Logger, type PlainLogger } from '../../logging/logger.js';
import type { Connection, Outcome } from '../../targets/target.js';
import type { AttemptObserver } from '../delivery-observer.js';
import type { BatchDelivery } from '../lanes/batch-store.js';
import type { GrantedLease, Lease, Settlement } from '../lanes/lane.js';
import { UnrecordedAttempt, type MadeAttempt } from './attempt-log.js';
import { AttemptRecorder, type RecorderParts } from './attempt-recorder.js';
import { BatchLoader, LARGE_BATCH, type LoadedBatch, type LoaderParts, type Prefetch } from './batch-loader.js';
import { runInSlot, type AdaptiveConcurrency } from './concurrency/adaptive-concurrency.js';
import { LeaseKeeper } from './lease-keeper.js';
import { settlementOf, type AttemptResult } from './settlement.js';
import { timedCall } from './timed-call.js';

/** What attempts are made with. */
export interface AttemptParts extends LoaderParts, RecorderParts {
  readonly liveness: Liveness;
  /** Longest time for one call to a target, in milliseconds. */
  readonly sendTimeoutMs: number;
  readonly logger: Logger;
}

/** What an attempt needs of its job. */
export interface AttemptContext {
  readonly slots: AdaptiveConcurrency;
  /** Returns whether the job may claim the lane's next batch. */
  readonly mayContinue: () => boolean;
}

/** A batch that may be attempted. */
export interface LeasedBatch extends GrantedLease {
  /** The deliveries that were read before the batch was claimed. */
  readonly prefetch: Prefetch | null;
  /** The attempt before it, where that is recorded while this batch is sent. */
  readonly unrecorded?: UnrecordedAttempt;
}

/** A batch that was sent. */
interface SentBatch {
  readonly outcomes: readonly Outcome[];
  readonly nextPrefetch: Prefetch | null;
  /** The claim of the next batch, during the call; null when there was none. It rejects as `recordBehind` does. */
  readonly claimed: Promise<GrantedLease | null> | null;
}

/** An attempt that is recorded, or left to `next` to record. */
export interface SettledAttempt {
  readonly deliveries: readonly BatchDelivery[];
  readonly settlement: Settlement;
  /** The lane's next batch, where it was claimed already: the caller makes an attempt at it. */
  readonly next: LeasedBatch | null;
}

/** Makes attempts at batches: loads, sends and records a batch while its lease is kept. */
export class BatchAttempts {
  private readonly loader: BatchLoader;
  private readonly recorder: AttemptRecorder;
  private readonly attemptLogger: PlainLogger;
  /** One controller for each call: signals made by AbortSignal.any would pile up on a common one. */
  private readonly calls = new Set<AbortController>();

  constructor(private readonly parts: AttemptParts) {
    this.loader = new BatchLoader(parts);
    this.recorder = new AttemptRecorder(parts);
    this.attemptLogger = plainLogger(parts.logger);
  }

  /** Aborts the calls under way; their outcomes are still recorded. */
  abort(): void {
    for (const call of this.calls) call.abort();
  }

  /**
   * Makes one attempt, whose start the caller has reported to `liveness`. The attempt before it, where it is not
   * recorded yet, is recorded during the call. When all was delivered and the next batch is claimed, this attempt is in
   * turn left to the next one to record.
   * @throws an internal error: the batch stays in the lane, and may have been sent
   */
  async make(leased: LeasedBatch, context: AttemptContext): Promise<SettledAttempt> {
    const { liveness, lanes, observer } = this.parts;
    const lease = leaseBehind(leased);
    const observed = observer.attempt(lease);
    const call = new AbortController();
    this.calls.add(call);
    const keeper = new LeaseKeeper(lanes, lease, leased.requestedAt, call);
    const behind = leased.unrecorded ? this.recordBehind(lease, leased.unrecorded, context, call) : null;
    // Awaited by the attempt, perhaps long after it has failed.
    behind?.catch(() => undefined);
    let left: UnrecordedAttempt | undefined;
    try {
      const attempt = await this.attempt({ ...leased, lease }, context, call, observed, behind);
      left = attempt.next?.unrecorded;
      return attempt;
    } finally {
      await behind?.catch(() => undefined);
      keeper.stop();
      this.calls.delete(call);
      liveness.finished(lease.token);
      if (!left) observed.ended();
    }
  }

  /** Loads and sends a batch, and records it, or leaves that to the next attempt. */
  private async attempt(
    { lease, prefetch }: LeasedBatch,
    context: AttemptContext,
    call: AbortController,
    observed: AttemptObserver,
    behind: Promise<GrantedLease | null> | null,
  ): Promise<SettledAttempt> {
    const startedAt = new Date();
    const begun = performance.now();
    const batch = await this.loader.load(lease, prefetch, behind);
    const { deliveries, bytes } = batch;
    const loaded = performance.now();
    const { outcomes, nextPrefetch, claimed } = await this.send(lease, batch, context, call, observed, behind);
    const sent = performance.now();
    const durationMs = Math.round(sent - begun);
    const result = { deliveries, outcomes, startedAt, durationMs, failuresBefore: lease.failures };
    const settlement = await this.settlementOf(lease, result);
    const made = { lease, deliveries, bytes, settlement, observed, loadMs: loaded - begun, sendMs: sent - loaded };
    const unrecorded = new UnrecordedAttempt(made, this.attemptLogger);
    const next = await claimed;
    // A call that was aborted after its last response: the lease may be lost, and the record shows it.
    const mayLeave = mayLeaveUnrecorded(made) && !call.signal.aborted;
    if (next && mayLeave && context.mayContinue()) {
      return { deliveries, settlement, next: { ...next, prefetch: nextPrefetch, unrecorded } };
    }
    const claimNext = nextPrefetch !== null && context.mayContinue();
    const held = claimed ? { ...lease, behindFrom: endOf(lease, deliveries) } : lease;
    const { recorded, next: granted } = await this.recorder.record(held, settlement, claimNext);
    unrecorded.recorded(recorded);
    // The next attempt awaits the prefetch, while its lease is renewed.
    return { deliveries, settlement: recorded, next: granted && { ...granted, prefetch: nextPrefetch } };
  }

  /**
   * Decides what follows from an attempt. In a pause that began during it no deadline passes, so nothing expires. Only
   * an attempt after which something would expire reads the lane for that. Where the lane cannot be read, nothing
   * expires yet: the outcomes of the call are recorded, and a later attempt decides.
   */
  private async settlementOf({ destinationId }: Lease, result: AttemptResult): Promise<Settlement> {
    const { lanes, policy } = this.parts;
    const settlement = settlementOf(result, policy);
    const expires = settlement.undelivered.some(({ state }) => state === 'expired');
    if (!expires || !(await lanes.isPaused(destinationId).catch(() => true))) return settlement;
    return settlementOf(result, { ...policy, deadlineMs: Number.POSITIVE_INFINITY });
  }

  /**
   * Records the attempt before the one that is made, and claims the batch behind it. Aborts the call when that fails:
   * nothing more is sent than one call beyond what is recorded.
   */
  private async recordBehind(
    lease: Lease,
    unrecorded: UnrecordedAttempt,
    context: AttemptContext,
    call: AbortController,
  ): Promise<GrantedLease | null> {
    try {
      const claims = context.mayContinue() && isLarge(lease);
      const next = await this.recorder.recordBehind(lease, unrecorded.made, claims);
      unrecorded.recorded(unrecorded.made.settlement);
      return next;
    } catch (error) {
      call.abort();
      throw error;
    } finally {
      unrecorded.ended();
    }
  }

  /**
   * Sends a batch, and prefetches the next one during the call. Where many deliveries wait, claims the next one as
   * well, unless `behind` does.
   */
  private async send(
    lease: Lease,
    { deliveries, bytes, opened }: LoadedBatch,
    context: AttemptContext,
    call: AbortController,
    observed: AttemptObserver,
    behind: Promise<GrantedLease | null> | null,
  ): Promise<SentBatch> {
    const { sendTimeoutMs, logger } = this.parts;
    const { destinationId: destination, batchId } = lease;
    if (opened.kind === 'unusable') {
      logger.warn(
        { err: opened.error, destination, batch: batchId },
        'cannot open a connection to the destination; its events wait and are retried after a backoff',
      );
      return { outcomes: deliveries.map(() => opened.outcome), nextPrefetch: null, claimed: behind };
    }
    const nextPrefetch = this.loader.prefetch(lease, deliveries);
    const claimed = behind ?? this.claimBehind(lease, nextPrefetch, context);
    observed.loaded(deliveries);
    try {
      const about = { destination, batch: batchId, trace_id: observed.traceId };
      const connection: Pick<Connection, 'send'> = {
        send: (events, signal) => opened.connection.send(events, signal, lease.latestTimestampMs),
      };
      const send = () => timedCall(connection, deliveries, sendTimeoutMs, call, { logger, about });
      // The job of a failing destination was admitted with a slot of its own.
      const outcomes = await (lease.failures > 0 ? send() : runInSlot(context.slots, bytes, send));
      return { outcomes, nextPrefetch, claimed };
    } finally {
      observed.sent();
      opened.release();
    }
  }

  /**
   * Claims the next batch as soon as many deliveries are known to wait. Null where that is not tried: an earlier
   * attempt at this batch may have claimed behind it already.
   */
  private claimBehind(
    lease: Lease,
    prefetch: Prefetch | null,
    context: AttemptContext,
  ): Promise<GrantedLease | null> | null {
    if (prefetch === null || lease.attempt > 1 || !context.mayContinue()) return null;
    return prefetch.then((read) => (read && read.size >= LARGE_BATCH ? this.recorder.claimBehind(lease) : null));
  }
}

/**
 * Longest call after which the next batch is sent as it was claimed, in milliseconds. After a longer one, recording is
 * a small part of the time, and the destination may have been changed during the call.
 */
const LONGEST_OVERLAPPED_MS = 1_000;

/** Whether an attempt may be recorded during the next call: it delivered everything, in a short call. */
function mayLeaveUnrecorded({ settlement, sendMs }: MadeAttempt): boolean {
  const { delivered, undelivered, status, nextSequence } = settlement;
  const isDelivered = status === 'healthy' && delivered.length > 0 && undelivered.length === 0;
  return isDelivered && nextSequence === null && sendMs <= LONGEST_OVERLAPPED_MS;
}

/** The lease of a batch that is sent before the attempt before it is recorded. */
function leaseBehind({ lease, unrecorded }: LeasedBatch): Lease {
  if (!unrecorded) return lease;
  const { lease: before, settlement } = unrecorded.made;
  return { ...lease, latestTimestampMs: settlement.latestTimestampMs ?? before.latestTimestampMs };
}

/** Number behind the last one that the first attempt at a batch may assign. */
function endOf({ firstSequence }: Lease, deliveries: readonly BatchDelivery[]): number {
  return firstSequence + deliveries.filter(({ numbered }) => !numbered).length;
}

function isLarge({ deliveryIds }: Lease): boolean {
  return deliveryIds.split(',').length >= LARGE_BATCH;
}
