import type { ReceivedEvent } from '@waybill/sandbox';
import type { EventEnvelope } from '../../src/events/envelope/event-envelope.js';
import { percentile } from '../harness/statistics.js';

/** Arrivals at one target compared with the published events. */
export interface TargetCount {
  readonly expected: number;
  /** Expected events that arrived. */
  readonly delivered: number;
  readonly lost: number;
  /** Repeated arrivals of an event. */
  readonly duplicates: number;
  /** Sequences missing between 1 and the highest one that arrived. */
  readonly sequence_gaps: number;
  /** First arrivals after a higher `sequence`. */
  readonly out_of_order: number;
  /** From the event's timestamp to its arrival at the target, in milliseconds. */
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/**
 * Counts the events that a target received.
 * @param operations ids of the operations, each of which makes one event
 */
export function countTarget(received: readonly ReceivedEvent[], operations: ReadonlySet<string>): TargetCount {
  const seen = new Set<string>();
  const arrivedOperations = new Set<string>();
  const sequences = new Set<number>();
  const latencies: number[] = [];
  let highest = 0;
  let outOfOrder = 0;
  for (const { body, receivedAtMs } of received) {
    const event = JSON.parse(body) as EventEnvelope & { readonly sequence: number };
    if (seen.has(event.event_id)) continue;
    seen.add(event.event_id);
    sequences.add(event.sequence);
    if (event.sequence < highest) outOfOrder += 1;
    highest = Math.max(highest, event.sequence);
    if (!operations.has(event.request.operation_id)) continue;
    arrivedOperations.add(event.request.operation_id);
    latencies.push(receivedAtMs - Date.parse(event.event_timestamp));
  }
  return {
    expected: operations.size,
    delivered: arrivedOperations.size,
    lost: operations.size - arrivedOperations.size,
    duplicates: received.length - seen.size,
    sequence_gaps: highest - sequences.size,
    out_of_order: outOfOrder,
    p50_ms: percentile(latencies, 0.5) || 0,
    p99_ms: percentile(latencies, 0.99) || 0,
  };
}

/** Checks that every event arrived once and in order, without a gap. */
export function isComplete({ lost, duplicates, sequence_gaps, out_of_order }: TargetCount): boolean {
  return lost === 0 && duplicates === 0 && sequence_gaps === 0 && out_of_order === 0;
}
