import type { PlainLogger } from '../../logging/logger.js';
import type { Lease, Settlement } from '../lanes/lane.js';
import { logAttempt, type MadeAttempt } from './attempt-log.js';

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
    const { deliveries, observed } = this.made;
    observed.settled(deliveries, settlement);
    logAttempt(this.logger, this.made, settlement, performance.now() - this.sentAt);
  }

  /** Reports the end of the attempt, recorded or not. */
  ended(): void {
    this.made.observed.ended();
  }
}
