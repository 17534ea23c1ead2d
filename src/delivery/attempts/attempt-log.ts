import type { PlainLogger } from '../../logging/logger.js';
import type { AttemptObserver } from '../delivery-observer.js';
import type { BatchDelivery } from '../lanes/batch-store.js';
import type { Lease, Settlement } from '../lanes/lane.js';
import { jobName } from '../queues/job.js';

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
    readonly made: MadeAttempt,
    private readonly logger: PlainLogger,
  ) {}

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

/**
 * Logs the wide line of an attempt, a warning when its owner has to act. docs/logs.md explains the fields.
 * @param settlement as it was recorded
 * @param settleMs how long that took, in milliseconds
 */
function logAttempt(logger: PlainLogger, attempt: MadeAttempt, settlement: Settlement, settleMs: number): void {
  const { lease, deliveries } = attempt;
  const { delivered, undelivered, error, interruption, outcome } = settlement;
  const count = (state: string): number => undelivered.filter((delivery) => delivery.state === state).length;
  const level = outcome === 'misconfigured' || outcome === 'rejected' ? 'warn' : 'info';
  logger[level](
    {
      destination: lease.destinationId,
      kind: lease.targetKind,
      batch: lease.batchId,
      events: jobName(deliveries.map(({ event }) => event)),
      attempt: lease.attempt,
      records: deliveries.length,
      bytes: attempt.bytes,
      delivered: delivered.length,
      retried: undelivered.filter(({ state, code }) => state === 'pending' && code !== null).length,
      postponed: deliveries.length - delivered.length - undelivered.filter(({ code }) => code !== null).length,
      rejected: count('rejected'),
      expired: count('expired'),
      outcome,
      code: (error ?? interruption)?.code,
      http_status: error?.httpStatus,
      backoff_ms: settlement.delayMs ?? undefined,
      trace_id: attempt.observed.traceId,
      load_ms: Math.round(attempt.loadMs),
      send_ms: Math.round(attempt.sendMs),
      settle_ms: Math.round(settleMs),
    },
    'batch attempt',
  );
}
