import type { PlainLogger } from '../../logging/logger.js';
import type { AttemptObserver } from '../delivery-observer.js';
import type { BatchDelivery } from '../lanes/batch-store.js';
import type { Lease, Settlement } from '../lanes/lane.js';
import { logAttempt } from './attempt-log.js';

/** An attempt whose calls are over. */
export interface MadeAttempt {
  readonly lease: Lease;
  readonly deliveries: readonly BatchDelivery[];
  /** Length of their payloads. */
  readonly bytes: number;
  readonly settlement: Settlement;
  readonly observed: AttemptObserver;
  /** Durations, in milliseconds. */
  readonly loadMs: number;
  readonly sendMs: number;
}

/** An attempt that is still to be recorded. */
export class UnrecordedAttempt {
  private readonly sentAt = performance.now();

  constructor(
    private readonly made: MadeAttempt,
    private readonly logger: PlainLogger,
  ) {}

  get lease(): Lease {
    return this.made.lease;
  }

  get settlement(): Settlement {
    return this.made.settlement;
  }

  get sendMs(): number {
    return this.made.sendMs;
  }

  /** Reports the attempt as it was recorded. */
  recorded(settlement: Settlement): void {
    const { lease, deliveries, bytes, observed, loadMs, sendMs } = this.made;
    observed.settled(deliveries, settlement);
    const settleMs = performance.now() - this.sentAt;
    const { traceId } = observed;
    logAttempt(this.logger, { lease, deliveries, bytes, settlement, traceId, loadMs, sendMs, settleMs });
  }

  /** Reports the end of the attempt, recorded or not. */
  ended(): void {
    this.made.observed.ended();
  }
}
