import type { Outcome, Reason } from '../../targets/target.js';
import type { BatchDelivery } from '../lanes/batch-store.js';
import type { SettledDelivery, Settlement } from '../lanes/lane.js';
import { backoffMs, type BackoffSchedule } from '../../timing/backoff.js';

/** How failed attempts are followed up. */
export interface RetryPolicy {
  readonly retry: BackoffSchedule;
  /** While the destination is set up wrong: someone has to act, so there is no promote. */
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
 * What an attempt means: which deliveries are done, which are tried again and when, and how the lane is. The rules and their reasons
 * are in docs/decisions/outcomes.md. A delivery that failed after its deadline is expired: it was tried at least this once.
 */
export function settlementOf(
  { deliveries, outcomes, startedAt, durationMs, failuresBefore }: AttemptResult,
  policy: RetryPolicy,
  now: number = Date.now(),
  random?: () => number,
): Settlement {
  const tookAny = outcomes.some(({ kind }) => kind === 'delivered');
  const returned = returnedFrom(deliveries, outcomes);
  const delivered: { id: number; sequence: number }[] = [];
  const others: SettledDelivery[] = [];
  const found = new Findings();
  for (const [index, { id, requestedAt, event }] of deliveries.slice(0, returned).entries()) {
    const outcome = outcomes[index];
    if (!outcome) throw new Error('an attempt has one outcome for each delivery');
    const { sequence } = event;
    if (outcome.kind === 'delivered') {
      delivered.push({ id, sequence });
      continue;
    }
    if (outcome.kind === 'postponed') {
      others.push({ id, sequence, state: 'pending', code: null, message: null });
      continue;
    }
    found.add(outcome, tookAny);
    const { code, message } = outcome.reason;
    const overdue = requestedAt.getTime() + policy.deadlineMs <= now;
    others.push({ id, sequence, code, message, state: stateAfter(outcome, tookAny, overdue) });
  }
  const failure = found.misconfigured ?? found.retried;
  const progressed = tookAny || found.judged !== null;
  const failed = found.misconfigured ? 'misconfigured' : 'retrying';
  const failures = failure ? (progressed ? 1 : failuresBefore + 1) : progressed ? 0 : failuresBefore;
  const schedule = found.misconfigured ? policy.misconfigured : policy.retry;
  const rejected = found.judged ?? found.tooLarge;
  return {
    delivered,
    others,
    status: failure ? failed : progressed ? 'healthy' : null,
    failures,
    delayMs: failure ? backoffMs(schedule, failures, found.afterMs, random) : null,
    frees: found.unclear,
    nextSequence: deliveries[returned]?.event.sequence ?? null,
    error: shown(failure ?? rejected),
    interruption: shown(found.interrupted),
    outcome: failure ? failed : rejected ? 'rejected' : found.interrupted ? 'interrupted' : 'healthy',
    startedAt,
    durationMs,
  };
}

/** Where those begin, at the end of the batch, that go back to the lane as they came: not sent, and without a number on record. */
function returnedFrom(deliveries: readonly BatchDelivery[], outcomes: readonly Outcome[]): number {
  return (
    1 + deliveries.findLastIndex(({ numbered }, index) => numbered || outcomes[index]?.kind !== 'postponed')
  );
}

type Spoken = Exclude<Outcome, { kind: 'delivered' | 'postponed' }>;

/** The first reason of each weight that an attempt has given. */
class Findings {
  misconfigured: Reason | null = null;
  retried: Reason | null = null;
  /** The vendor looked at a record and refused it: an answer, so the destination works. */
  judged: Reason | null = null;
  /** We refused a record ourselves: says nothing of the destination. */
  tooLarge: Reason | null = null;
  interrupted: Reason | null = null;
  /** Refused was all that was sent, and the vendor does not say why: more of what waits may tell. */
  unclear = false;
  afterMs = 0;

  add(outcome: Spoken, tookAny: boolean): void {
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
        if (outcome.grounds === 'size') this.tooLarge ??= outcome.reason;
        else if (blamesRecord(outcome, tookAny)) this.judged ??= outcome.reason;
        else {
          this.misconfigured ??= outcome.reason;
          this.unclear = true;
        }
        return;
      default:
        return unknownKind(outcome);
    }
  }
}

/** A call that the vendor refuses is the record's fault where the same attempt saw the vendor take another. */
function blamesRecord(outcome: Extract<Outcome, { kind: 'rejected' }>, tookAny: boolean): boolean {
  return outcome.grounds !== 'call' || tookAny;
}

function stateAfter(outcome: Spoken, tookAny: boolean, overdue: boolean): SettledDelivery['state'] {
  if (outcome.kind === 'rejected' && blamesRecord(outcome, tookAny)) return 'rejected';
  // What we ended ourselves is tried once more whatever its age: it has not had its answer.
  return overdue && outcome.kind !== 'interrupted' ? 'expired' : 'pending';
}

function shown(reason: Reason | null): Settlement['error'] {
  return reason && { code: reason.code, message: reason.message, httpStatus: reason.httpStatus };
}

function unknownKind(outcome: never): never {
  throw new TypeError(`Not an outcome: ${JSON.stringify(outcome)}`);
}
