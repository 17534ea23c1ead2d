import type { Logger } from '../../logging/logger.js';
import type { BatchDelivery } from '../lanes/batch-store.js';
import type { Lease, Settlement } from '../lanes/lane.js';
import { jobName } from '../queues/job.js';

/** An attempt that was recorded, as its log line shows it. */
export interface LoggedAttempt {
  readonly lease: Lease;
  readonly deliveries: readonly BatchDelivery[];
  /** Size of their payloads. */
  readonly bytes: number;
  readonly settlement: Settlement;
  /** Undefined where nothing is traced. */
  readonly traceId: string | undefined;
  /** What its parts took, in milliseconds. */
  readonly loadMs: number;
  readonly sendMs: number;
  readonly settleMs: number;
}

/** Writes the one wide line of an attempt, a warning where someone has to act: docs/logs.md explains its members. */
export function logAttempt(logger: Logger, attempt: LoggedAttempt): void {
  const { lease, deliveries, settlement } = attempt;
  const { delivered, others, error, interruption, outcome } = settlement;
  const count = (state: string): number => others.filter((other) => other.state === state).length;
  // Someone has to act on these; the others mend themselves.
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
      retried: others.filter(({ state, code }) => state === 'pending' && code !== null).length,
      postponed: deliveries.length - delivered.length - others.filter(({ code }) => code !== null).length,
      rejected: count('rejected'),
      expired: count('expired'),
      outcome,
      code: (error ?? interruption)?.code,
      http_status: error?.httpStatus,
      backoff_ms: settlement.delayMs ?? undefined,
      trace_id: attempt.traceId,
      load_ms: Math.round(attempt.loadMs),
      send_ms: Math.round(attempt.sendMs),
      settle_ms: Math.round(attempt.settleMs),
    },
    'batch attempt',
  );
}
