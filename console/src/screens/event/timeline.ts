import type { Delivery, DeliveryAttempt } from '@waybill/client';
import { isOpen } from '../../api/deliveries.js';
import { lengthText } from '../../time/format.js';

/** A part of a delivery's time, in milliseconds since 1970. */
export interface Span {
  readonly kind: 'wait' | DeliveryAttempt['outcome'];
  readonly from: number;
  readonly to: number;
}

/**
 * Returns what a delivery did from the event to its end: waits and attempts, in order, without gaps.
 * @param now the end of a delivery that is not finished
 */
export function spansOf(delivery: Delivery, now: number): readonly Span[] {
  const spans: Span[] = [];
  let at = Date.parse(delivery.created_at);
  const until = (to: number, kind: Span['kind']): void => {
    if (to > at) spans.push({ kind, from: at, to });
    at = Math.max(at, to);
  };
  for (const attempt of delivery.attempts) {
    const start = Date.parse(attempt.started_at);
    until(start, 'wait');
    until(start + Math.max(1, attempt.duration_ms), attempt.outcome);
  }
  until(isOpen(delivery) ? now : Date.parse(delivery.finished_at ?? delivery.created_at), 'wait');
  return spans;
}

/** Returns when the first delivery began and the last one ended, for one scale of all rows. */
export function extentOf(rows: readonly (readonly Span[])[]): readonly [from: number, to: number] | null {
  const spans = rows.flat();
  if (spans.length === 0) return null;
  return [Math.min(...spans.map(({ from }) => from)), Math.max(...spans.map(({ to }) => to))];
}

const ends: Readonly<Record<Delivery['state'], string>> = {
  pending: 'Waits',
  in_flight: 'Is sent',
  delivered: 'Delivered',
  rejected: 'Rejected',
  expired: 'Expired',
  cancelled: 'Cancelled',
};

/** Returns the outcome of a delivery as a sentence. */
export function outcomeText(delivery: Delivery): string {
  const { state, attempt_count: count, created_at: created, finished_at: finished } = delivery;
  const tries = count === 0 ? 'without an attempt' : count === 1 ? 'with one attempt' : `with ${count} attempts`;
  if (isOpen(delivery)) return count === 0 ? 'Waits for its first attempt' : `Not delivered yet, ${tries}`;
  const after = finished === null ? '' : ` after ${lengthText(Date.parse(finished) - Date.parse(created))}`;
  return `${ends[state]}${after}, ${tries}`;
}
