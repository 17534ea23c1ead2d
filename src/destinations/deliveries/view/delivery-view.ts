import type { DeliveryAttemptsTable, EarlierRun } from '../../../database/tables.js';
import { logOrigin, type Integrity } from '../../../delivery/lanes/delivered-event.js';

/**
 * States of a delivery in the API: a pending delivery is `in_flight` while it is in its lane's batch, and `cancelled`
 * from the moment its destination is deleted.
 */
export const deliveryViewStates = ['pending', 'in_flight', 'delivered', 'rejected', 'expired', 'cancelled'] as const;
export type DeliveryViewState = (typeof deliveryViewStates)[number];

/** States of a delivery that ended without being delivered, while its destination existed. */
export const undeliveredStates = ['rejected', 'expired'] as const satisfies readonly DeliveryViewState[];
export type UndeliveredState = (typeof undeliveredStates)[number];

/** The state of a delivery as the API shows it, without its attempts. */
export interface DeliveryStateView {
  readonly id: number;
  readonly eventId: string;
  readonly destinationId: string;
  readonly state: DeliveryViewState;
  /** Null until a batch with it is claimed. */
  readonly sequence: number | null;
  /** The epoch of the number; null without a number, and when the destination was deleted. */
  readonly epoch: number | null;
  /** Why its last attempt failed; null once it is delivered. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly createdAt: Date;
  readonly redeliveredAt: Date | null;
  readonly finishedAt: Date | null;
  /** The backfill that created it; null for every other delivery. */
  readonly backfillId: string | null;
}

/** The state of a delivery, with what its log needs. */
export interface LoggedStateView extends DeliveryStateView {
  /** The first number of the epoch; null where `epoch` is. */
  readonly firstSequence: number | null;
  /** The salt of the event's payload, in hexadecimal digits; null when it was removed. */
  readonly salt: string | null;
}

/** Returns where the log of the destination proves a delivery; null without a number, or without a salt. */
export function integrityOf(delivery: LoggedStateView, logName: string): Integrity | null {
  const { destinationId, epoch, sequence, firstSequence, salt } = delivery;
  if (epoch === null || sequence === null || firstSequence === null || salt === null) return null;
  return { log: logOrigin(logName, destinationId, epoch), index: sequence - firstSequence, salt };
}

/** A delivery as the API shows it. */
export interface DeliveryView extends DeliveryStateView {
  readonly eventType: string;
  /** Number of its attempts, in the current run and the earlier ones that are kept. */
  readonly attemptCount: number;
  /** The last of its attempts, oldest first. */
  readonly attempts: readonly AttemptView[];
}

/** A stored attempt at a batch. */
export type AttemptRow = Pick<
  DeliveryAttemptsTable,
  'number' | 'started_at' | 'duration_ms' | 'outcome' | 'code' | 'message' | 'http_status'
>;

/** The outcome of one delivery in one attempt at its batch. */
export interface AttemptView extends Omit<AttemptRow, 'number' | 'outcome'> {
  readonly outcome: 'delivered' | 'retry' | 'misconfigured' | 'rejected';
}

/** One run of a delivery through its lane, from pending to finished, in one batch. */
export type DeliveryRun = EarlierRun;

/**
 * Returns the outcomes of one delivery in the attempts at its batch. All but the last left it pending, for the reason
 * of the attempt. The last one finished it: that outcome is in the delivery's own run, since other deliveries of the
 * batch may have another.
 * @param rows attempts at the batch, up to the delivery's last, by number
 */
export function attemptsIn(run: DeliveryRun, rows: readonly AttemptRow[]): readonly AttemptView[] {
  return rows.map(({ number, outcome, ...attempt }) => {
    const isLast = number === run.attempts;
    if (isLast && run.state === 'delivered')
      return { ...attempt, outcome: 'delivered', code: null, message: null, http_status: null };
    if (isLast && run.state === 'rejected') {
      const { code, message } = run;
      const status = code === attempt.code ? attempt.http_status : null;
      return { ...attempt, outcome: 'rejected', code, message, http_status: status };
    }
    return { ...attempt, outcome: outcome === 'misconfigured' ? 'misconfigured' : 'retry' };
  });
}
