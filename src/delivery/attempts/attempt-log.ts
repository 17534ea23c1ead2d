import type { PlainLogger } from '../../logging/logger.js';
import type { BatchDelivery } from '../lanes/batch-store.js';
import type { Lease, Settlement } from '../lanes/lane.js';
import { jobName } from '../queues/job.js';

/** What the log line of an attempt shows. */
export interface LoggedAttempt {
  readonly lease: Lease;
  readonly deliveries: readonly BatchDelivery[];
  /** Length of their payloads. */
  readonly bytes: number;
  readonly settlement: Settlement;
  /** Undefined without tracing. */
  readonly traceId: string | undefined;
  /** Durations of the attempt's parts, in milliseconds. */
  readonly loadMs: number;
  readonly sendMs: number;
  readonly settleMs: number;
}

/**
 * Logs the wide line of an attempt, a warning when its owner has to act. docs/logs.md explains the fields.
 */
export function logAttempt(logger: PlainLogger, attempt: LoggedAttempt): void {
  const { lease, deliveries, settlement } = attempt;
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
      trace_id: attempt.traceId,
      load_ms: Math.round(attempt.loadMs),
      send_ms: Math.round(attempt.sendMs),
      settle_ms: Math.round(attempt.settleMs),
    },
    'batch attempt',
  );
}
