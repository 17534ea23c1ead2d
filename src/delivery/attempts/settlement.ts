import type { Outcome, Reason } from '../../targets/target.js';
import { backoffMs, type BackoffSchedule } from '../../timing/backoff.js';
import type { BatchDelivery } from '../lanes/batch-store.js';
import type { Rejections, UndeliveredDelivery, Settlement } from '../lanes/lane.js';
import { LatencyCounts } from '../rollups/latency-counts.js';
import { isHealthEvent } from './health-event-types.js';

/** When failed deliveries are tried again. */
export interface RetryPolicy {
  readonly retry: BackoffSchedule;
  /** While the destination is misconfigured: its owner has to act, so retries are slower. */
  readonly misconfigured: BackoffSchedule;
  /** How long a delivery is tried, in milliseconds since its event or its last redelivery request. */
  readonly deadlineMs: number;
}

/** The result of an attempt, before it is recorded. */
export interface AttemptResult {
  readonly deliveries: readonly BatchDelivery[];
  /** One for each delivery, in order. */
  readonly outcomes: readonly Outcome[];
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Consecutive attempts before this one that delivered nothing. */
  readonly failuresBefore: number;
}

/**
 * Decides what follows from an attempt: which deliveries are finished, which are tried again and when, and the lane's
 * status. docs/decisions/outcomes.md explains the rules. A delivery that fails after its deadline expires: it had at
 * least this attempt.
 * @param now the current time, by `performance.now()`
 */
export function settlementOf(
  { deliveries, outcomes, startedAt, durationMs, failuresBefore }: AttemptResult,
  policy: RetryPolicy,
  now: number = performance.now(),
  random?: () => number,
): Settlement {
  const anyDelivered = outcomes.some(({ kind }) => kind === 'delivered');
  const returned = firstReturned(deliveries, outcomes);
  const delivered: { id: number; sequence: number }[] = [];
  const undelivered: UndeliveredDelivery[] = [];
  const latencies = new LatencyCounts();
  let rejections: Rejections | null = null;
  const reasons = new Reasons();
  for (const [index, { id, requestedAt, event }] of deliveries.slice(0, returned).entries()) {
    const outcome = outcomes[index];
    if (!outcome) throw new Error('an attempt needs one outcome for each delivery');
    const { sequence } = event;
    if (outcome.kind === 'delivered') {
      delivered.push({ id, sequence });
      latencies.add(now - requestedAt);
      continue;
    }
    if (outcome.kind === 'postponed') {
      undelivered.push({ id, sequence, state: 'pending', code: null, message: null });
      continue;
    }
    reasons.add(outcome, anyDelivered);
    const { code, message } = outcome.reason;
    const isOverdue = requestedAt + policy.deadlineMs <= now;
    const state = stateAfter(outcome, anyDelivered, isOverdue);
    undelivered.push({ id, sequence, code, message, state });
    if (state === 'rejected' && !isHealthEvent(event.type)) rejections = withRejected(rejections, sequence, code);
  }
  const failure = reasons.misconfigured ?? reasons.retried;
  const progressed = anyDelivered || reasons.recordRejected !== null;
  const failed = reasons.misconfigured ? 'misconfigured' : 'retrying';
  const failures = failure ? (progressed ? 1 : failuresBefore + 1) : progressed ? 0 : failuresBefore;
  const schedule = reasons.misconfigured ? policy.misconfigured : policy.retry;
  const rejected = reasons.recordRejected ?? reasons.tooLarge;
  return {
    delivered,
    undelivered,
    status: failure ? failed : progressed ? 'healthy' : null,
    failures,
    delayMs: failure ? backoffMs(schedule, failures, reasons.afterMs, random) : null,
    freesLane: reasons.callRejected,
    nextSequence: deliveries[returned]?.event.sequence ?? null,
    error: failure ?? rejected,
    interruption: reasons.interrupted,
    outcome: failure ? failed : rejected ? 'rejected' : reasons.interrupted ? 'interrupted' : 'healthy',
    latestTimestampMs: latestTimestamp(outcomes),
    latencies: latencies.toArray(),
    rejections,
    startedAt,
    durationMs,
  };
}

/** Adds a rejected delivery. */
function withRejected(others: Rejections | null, sequence: number, code: string): Rejections {
  if (others === null) return { count: 1, first_sequence: sequence, last_sequence: sequence, code };
  return {
    count: others.count + 1,
    first_sequence: Math.min(others.first_sequence, sequence),
    last_sequence: Math.max(others.last_sequence, sequence),
    code: others.code,
  };
}

function latestTimestamp(outcomes: readonly Outcome[]): number | null {
  let latest: number | null = null;
  for (const outcome of outcomes) {
    if (outcome.kind !== 'delivered' || outcome.timestampMs === undefined) continue;
    latest = Math.max(latest ?? 0, outcome.timestampMs);
  }
  return latest;
}

/**
 * Index of the first delivery that goes back to the lane: it and all behind it were not sent and have no number on
 * record.
 */
function firstReturned(deliveries: readonly BatchDelivery[], outcomes: readonly Outcome[]): number {
  return 1 + deliveries.findLastIndex(({ numbered }, index) => numbered || outcomes[index]?.kind !== 'postponed');
}

type OutcomeWithReason = Exclude<Outcome, { kind: 'delivered' | 'postponed' }>;

/** The first reason of each kind in the outcomes of an attempt. */
class Reasons {
  misconfigured: Reason | null = null;
  retried: Reason | null = null;
  /** The vendor rejected a single record: the destination works. */
  recordRejected: Reason | null = null;
  /** A record exceeds the target's limits: it was not sent. */
  tooLarge: Reason | null = null;
  interrupted: Reason | null = null;
  /**
   * The vendor rejected every call without naming a record: a later call with more records may show whether one is at
   * fault.
   */
  callRejected = false;
  afterMs = 0;

  add(outcome: OutcomeWithReason, anyDelivered: boolean): void {
    switch (outcome.kind) {
      case 'misconfigured':
        this.misconfigured ??= outcome.reason;
        return;
      case 'retry':
        this.retried ??= outcome.reason;
        this.afterMs = Math.max(this.afterMs, outcome.afterMs ?? 0);
        return;
      case 'interrupted':
        this.interrupted ??= outcome.reason;
        return;
      case 'rejected':
        if (outcome.basis === 'size') this.tooLarge ??= outcome.reason;
        else if (blamesRecord(outcome, anyDelivered)) this.recordRejected ??= outcome.reason;
        else {
          this.misconfigured ??= outcome.reason;
          this.callRejected = true;
        }
        return;
      default:
        return unknownKind(outcome);
    }
  }
}

/** A rejected call is the record's fault when the vendor accepted another record in the same attempt. */
function blamesRecord(outcome: Extract<Outcome, { kind: 'rejected' }>, anyDelivered: boolean): boolean {
  return outcome.basis !== 'call' || anyDelivered;
}

function stateAfter(
  outcome: OutcomeWithReason,
  anyDelivered: boolean,
  isOverdue: boolean,
): UndeliveredDelivery['state'] {
  if (outcome.kind === 'rejected' && blamesRecord(outcome, anyDelivered)) return 'rejected';
  // An interrupted call is tried again whatever its age: the target has not responded to it.
  return isOverdue && outcome.kind !== 'interrupted' ? 'expired' : 'pending';
}

function unknownKind(outcome: never): never {
  throw new TypeError(`Not an outcome: ${JSON.stringify(outcome)}`);
}
