import { tokenOf } from '../lifecycle/provide.js';
import type { TargetKind } from '../targets/target.js';
import type { BatchDelivery } from './lanes/batch-store.js';
import type { Lease, Settlement } from './lanes/lane.js';

/** What a sweep repairs: see `Sweep`. */
export const repairs = ['dispatched', 'rebuilt', 'promoted', 'raised', 'expired'] as const;
export type Repair = (typeof repairs)[number];

/** What is done with an event for which a filter could not be evaluated. */
export const unevaluatedResults = ['sent', 'backfilled'] as const;
export type UnevaluatedResult = (typeof unevaluatedResults)[number];

/**
 * Why a filter could not be evaluated for an event: the evaluation failed, the changed values were left out of the
 * event for their size, the event or the transaction costs too much, or this release refuses the saved filter.
 */
export const unevaluatedReasons = ['failed', 'changes_omitted', 'event_cost', 'transaction_cost', 'refused'] as const;
export type UnevaluatedReason = (typeof unevaluatedReasons)[number];

/** Observes deliveries, for metrics and traces. Its methods must not throw, and must return quickly. */
export interface DeliveryObserver {
  /** A batch was claimed, and its job was added or the job before it continues with it. */
  claimed(target: TargetKind, records: number): void;
  /** An attempt starts. */
  attempt(lease: Lease): AttemptObserver;
  /** A sweep ended, with these repairs. */
  swept(found: Readonly<Record<Repair, number>>): void;
  /** This process noticed the death of a worker, and ended so many leases of it. */
  workerDied(leases: number): void;
  /** Deliveries were cancelled, because their destination was deleted. */
  cancelled(count: number): void;
  /** Finished deliveries were made pending again. */
  redelivered(count: number): void;
  /** A filter could not be evaluated for an event. */
  unevaluated(result: UnevaluatedResult, reason: UnevaluatedReason): void;
}
/** The injection token of `DeliveryObserver`. */
export const DELIVERY_OBSERVER = tokenOf<DeliveryObserver>('DeliveryObserver');

/** Observes one attempt. Its methods are called in this order, `ended` always. */
export interface AttemptObserver {
  /** For the log lines; undefined without tracing. */
  readonly traceId: string | undefined;
  /** The batch is loaded, and the call to the target starts. */
  loaded(deliveries: readonly BatchDelivery[]): void;
  /** The target responded, or the call was abandoned. */
  sent(): void;
  /** The attempt is recorded. */
  settled(deliveries: readonly BatchDelivery[], settlement: Settlement): void;
  /** The attempt ended; by an internal error, unless `settled` was called. */
  ended(): void;
}

const ignore = (): void => {};
const unobservedAttempt: AttemptObserver = {
  traceId: undefined,
  loaded: ignore,
  sent: ignore,
  settled: ignore,
  ended: ignore,
};

/** Observes nothing. */
export const unobserved: DeliveryObserver = {
  claimed: ignore,
  attempt: () => unobservedAttempt,
  swept: ignore,
  workerDied: ignore,
  cancelled: ignore,
  redelivered: ignore,
  unevaluated: ignore,
};
