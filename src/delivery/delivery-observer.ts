import type { TargetKind } from '../targets/target.js';
import type { BatchDelivery } from './lanes/batch-store.js';
import type { Lease, Settlement } from './lanes/lane.js';

/** What a sweep makes good: see `Sweep`. */
export type Repair = 'dispatched' | 'rebuilt' | 'promoted' | 'expired';

/** Is told how deliveries go, for metrics and traces. Nothing in it may throw or wait: it is called where time counts. */
export interface DeliveryObserver {
  /** A batch was claimed and its job added, or a job went on with it. */
  claimed(target: TargetKind, records: number): void;
  /** An attempt begins. */
  attempt(lease: Lease): AttemptObserver;
  /** Deliveries behind a failed batch expired without an attempt. */
  expired(target: TargetKind, count: number): void;
  /** A sweep has ended; what it found was repaired. */
  swept(found: Readonly<Record<Repair, number>>): void;
  /** Finished deliveries were made pending again. */
  redelivered(count: number): void;
}

/** One attempt; its methods are called in this order, and `ended` always. */
export interface AttemptObserver {
  /** For the log lines; undefined where nothing is traced. */
  readonly traceId: string | undefined;
  /** The batch is loaded: the call to the target begins. */
  loaded(deliveries: readonly BatchDelivery[]): void;
  /** The target has answered, or has been given up. */
  sent(): void;
  /** What became of it is recorded. */
  settled(deliveries: readonly BatchDelivery[], settlement: Settlement): void;
  /** It is over. Without `settled` before, through a fault of ours. */
  ended(): void;
}

const nothing = (): void => {};
const unobservedAttempt: AttemptObserver = {
  traceId: undefined,
  loaded: nothing,
  sent: nothing,
  settled: nothing,
  ended: nothing,
};

/** Where nobody looks. */
export const unobserved: DeliveryObserver = {
  claimed: nothing,
  attempt: () => unobservedAttempt,
  expired: nothing,
  swept: nothing,
  redelivered: nothing,
};
