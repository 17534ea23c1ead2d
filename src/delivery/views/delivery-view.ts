import type { EarlierRun } from '../../database/tables.js';

/** Where a delivery is, as its owner sees it: what is pending is in flight once it is in its lane's batch. */
export const deliveryViewStates = ['pending', 'in_flight', 'delivered', 'rejected', 'expired'] as const;
export type DeliveryViewState = (typeof deliveryViewStates)[number];

/** A delivery, for people to look at. */
export interface DeliveryView {
  readonly id: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly destinationId: string;
  readonly state: DeliveryViewState;
  /** Null until the first attempt at it was recorded. */
  readonly sequence: number | null;
  /** Why it failed the last time; null once it is delivered. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** How often it was tried, in this run and in the earlier ones that are kept. */
  readonly attemptCount: number;
  /** The last of those, oldest first. */
  readonly attempts: readonly AttemptView[];
  readonly createdAt: Date;
  readonly redeliveredAt: Date | null;
  readonly finishedAt: Date | null;
}

/** One try at a delivery: what became of this one record in an attempt at its batch. */
export interface AttemptView {
  readonly startedAt: Date;
  readonly outcome: 'delivered' | 'retry' | 'misconfigured' | 'rejected';
  readonly code: string | null;
  readonly message: string | null;
  /** The vendor's HTTP status, where there was an answer. */
  readonly httpStatus: number | null;
  readonly durationMs: number;
}

/** An attempt at a batch, as it is stored. */
export interface AttemptRow {
  readonly number: number;
  readonly started_at: Date;
  readonly duration_ms: number;
  readonly outcome: string;
  readonly code: string | null;
  readonly message: string | null;
  readonly http_status: number | null;
}

/** A time through its destination's lane, from pending to an end: one batch. */
export type Run = EarlierRun;

/**
 * What the attempts at a batch were for one of its deliveries. All but its last put it off, for what the attempt says; the last
 * is its end, of which the delivery itself knows: others of the batch may have had another.
 * @param rows attempts at the batch, up to the delivery's last, by number
 */
export function attemptsIn(run: Run, rows: readonly AttemptRow[]): readonly AttemptView[] {
  return rows.map((row) => {
    const { started_at: startedAt, duration_ms: durationMs, code, message, http_status: httpStatus } = row;
    const ended = row.number === run.attempts;
    if (ended && run.state === 'delivered') {
      return { startedAt, durationMs, outcome: 'delivered', code: null, message: null, httpStatus: null };
    }
    if (ended && run.state === 'rejected') {
      const status = run.code === code ? httpStatus : null;
      return {
        startedAt,
        durationMs,
        outcome: 'rejected',
        code: run.code,
        message: run.message,
        httpStatus: status,
      };
    }
    const outcome = row.outcome === 'misconfigured' ? 'misconfigured' : 'retry';
    return { startedAt, durationMs, outcome, code, message, httpStatus };
  });
}
