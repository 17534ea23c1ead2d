import type { Outcome, Reason } from '../targets/target.js';
import type { BatchDelivery } from './batch-store.js';
import type { SettledDelivery, Settlement } from './lane-store.js';
import { backoffMs, type BackoffSchedule } from './retry-policy.js';

/** How failed attempts are followed up. */
export interface RetryPolicy {
  readonly retry: BackoffSchedule;
  /** While the destination is set up wrong: someone has to act, so there is no hurry. */
  readonly misconfigured: BackoffSchedule;
  /** How long a delivery is tried, in milliseconds from its event or from when it was asked for again. */
  readonly deadlineMs: number;
}

/** An attempt that is over, before it is recorded. */
export interface AttemptResult {
  readonly deliveries: readonly BatchDelivery[];
  /** One for each delivery, in order. */
  readonly outcomes: readonly Outcome[];
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Attempts in a row, before this one, that delivered nothing. */
  readonly failuresBefore: number;
}

/**
 * What an attempt means: which deliveries are done, which are tried again and when, and how the lane is.
 * A delivery that failed after its deadline is expired: it was tried at least this once.
 */
export function settlementOf(
  { deliveries, outcomes, startedAt, durationMs, failuresBefore }: AttemptResult,
  policy: RetryPolicy,
  now: number = Date.now(),
  random?: () => number,
): Settlement {
  const delivered: { id: number; sequence: number }[] = [];
  const others: SettledDelivery[] = [];
  let misconfigured: Reason | null = null;
  let retried: Reason | null = null;
  let rejected: Reason | null = null;
  let afterMs = 0;
  for (const [index, { id, askedAt, event }] of deliveries.entries()) {
    const outcome = outcomes[index];
    if (!outcome) throw new Error('an attempt has one outcome for each delivery');
    const { sequence } = event;
    if (outcome.kind === 'delivered') {
      delivered.push({ id, sequence });
      continue;
    }
    const { code, message } = outcome.reason;
    const overdue = askedAt.getTime() + policy.deadlineMs <= now;
    others.push({ id, sequence, code, message, state: stateAfter(outcome.kind, overdue) });
    if (outcome.kind === 'rejected') rejected ??= outcome.reason;
    else if (outcome.kind === 'misconfigured') misconfigured ??= outcome.reason;
    else {
      retried ??= outcome.reason;
      afterMs = Math.max(afterMs, outcome.afterMs ?? 0);
    }
  }
  const error = misconfigured ?? retried ?? rejected;
  const status = misconfigured ? 'misconfigured' : retried ? 'retrying' : 'healthy';
  // An answer to some of the records is progress: the destination works, so what is left starts at the first step.
  const progressed = delivered.length > 0 || rejected !== null;
  const failures = status === 'healthy' ? 0 : progressed ? 1 : failuresBefore + 1;
  const schedule = status === 'misconfigured' ? policy.misconfigured : policy.retry;
  return {
    delivered,
    others,
    status,
    failures,
    delayMs: status === 'healthy' ? null : backoffMs(schedule, failures, afterMs, random),
    error: error && { code: error.code, message: error.message, httpStatus: error.httpStatus },
    outcome: status === 'healthy' && rejected !== null ? 'rejected' : status,
    startedAt,
    durationMs,
  };
}

function stateAfter(
  kind: 'retry' | 'misconfigured' | 'rejected',
  overdue: boolean,
): SettledDelivery['state'] {
  if (kind === 'rejected') return 'rejected';
  return overdue ? 'expired' : 'pending';
}
