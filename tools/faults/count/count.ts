import type { ReceivedEvent } from '@waybill/sandbox';
import { checkpointEvent } from '../../../src/events/catalogue/checkpoint-event.js';
import type { EventLog } from './event-log.js';
import type { RejectedEvent } from './rejected.js';
import { isLower, isMarker, reusedNumbers, separateUndone, type DeliveredEvent } from './undone-events.js';

/** Arrivals at one destination compared with the published events. */
export interface DestinationCount {
  readonly destination: string;
  readonly kind: string;
  readonly published: number;
  /** Published events that arrived. */
  readonly delivered: number;
  /** Published events that did not arrive and were not rejected. */
  readonly lost: number;
  /** Published events that did not arrive and that the API shows as rejected. */
  readonly rejected: number;
  /** Arrivals of an event that had arrived before. */
  readonly duplicates: number;
  /** First arrivals whose number is lower than one that had arrived before. */
  readonly order_violations: number;
  /**
   * First arrivals of a change to a resource after a later change to it had arrived. A backfilled change may follow
   * later ones that were not backfilled.
   */
  readonly resource_order_violations: number;
  /** Sequences missing between 1 and the highest one that arrived, except those of rejected events. */
  readonly gaps: number;
  /** Arrivals of events that the event log does not hold, except undone ones. */
  readonly unknown: number;
  /** Arrivals whose number the first event of an epoch declares as that of an undone event. */
  readonly undone: number;
  /** Numbers that arrived with two different events, undone ones included. */
  readonly reused: number;
}

/** Result of a scenario. */
export interface Count {
  /** Events in the log. Each is published to every destination. */
  readonly published: number;
  /** Published events whose request got no 2xx response. */
  readonly published_unanswered: number;
  /** Requests with a 2xx response whose event the log does not hold, and events missing in the chain of a resource. */
  readonly unrecorded: number;
  readonly destinations: readonly DestinationCount[];
}

/**
 * Counts the arrivals at one destination.
 * @param received events in the order of arrival
 * @param rejected events that the API shows as rejected
 */
export function countDestination(
  destination: { readonly id: string; readonly kind: string },
  received: readonly Pick<ReceivedEvent, 'body'>[],
  eventLog: EventLog,
  rejected: readonly RejectedEvent[] = [],
): DestinationCount {
  const seen = new Set<string>();
  const sequences = new Set<number>();
  const revisions = new Map<string, number>();
  const backfilled = new Map<string, number>();
  const counts = { delivered: 0, orderViolations: 0, resourceViolations: 0, unknown: 0 };
  const all = received.map(({ body }) => JSON.parse(body) as DeliveredEvent);
  const { undone, rest } = separateUndone(all);
  let latestNumber = { epoch: 0, sequence: 0 };
  let highest = 0;
  for (const delivered of rest) {
    const { event_id: id, epoch, sequence } = delivered;
    if (seen.has(id)) continue;
    seen.add(id);
    sequences.add(sequence);
    if (isLower(delivered, latestNumber)) counts.orderViolations += 1;
    else latestNumber = { epoch, sequence };
    highest = Math.max(highest, sequence);
    if (isMarker(delivered) || delivered.event_type === checkpointEvent.type) continue;
    const event = eventLog.events.get(id);
    if (!event) {
      counts.unknown += 1;
      continue;
    }
    counts.delivered += 1;
    const revision = eventLog.revisions.get(id) ?? 0;
    const { resourceId } = event;
    const compared = delivered.backfill ? backfilled : revisions;
    if (revision < (compared.get(resourceId) ?? -1)) counts.resourceViolations += 1;
    for (const latest of delivered.backfill ? [backfilled, revisions] : [revisions])
      latest.set(resourceId, Math.max(revision, latest.get(resourceId) ?? -1));
  }
  const missing = rejected.filter(({ eventId }) => eventLog.events.has(eventId) && !seen.has(eventId));
  const explained = missing.filter(({ sequence }) => sequence < highest && !sequences.has(sequence));
  return {
    destination: destination.id,
    kind: destination.kind,
    published: eventLog.events.size,
    delivered: counts.delivered,
    lost: eventLog.events.size - counts.delivered - missing.length,
    rejected: missing.length,
    duplicates: rest.length - seen.size,
    order_violations: counts.orderViolations,
    resource_order_violations: counts.resourceViolations,
    gaps: highest - sequences.size - explained.length,
    unknown: counts.unknown,
    undone: undone.length,
    reused: reusedNumbers(all),
  };
}

/**
 * Combines the counts of the destinations with the responses that the load received.
 * @param acceptedBefore changes with a 2xx response that the database may have lost since
 */
export function countAll(
  eventLog: EventLog,
  accepted: ReadonlySet<string>,
  destinations: readonly DestinationCount[],
  acceptedBefore: ReadonlySet<string> = new Set(),
): Count {
  const logged = new Set(Array.from(eventLog.events.values(), ({ operationId }) => operationId));
  const unrecorded = Array.from(accepted).filter((id) => !logged.has(id)).length;
  return {
    published: eventLog.events.size,
    published_unanswered: Array.from(logged).filter((id) => !accepted.has(id) && !acceptedBefore.has(id)).length,
    unrecorded: unrecorded + eventLog.missing,
    destinations,
  };
}

/** Adds up one figure over all destinations. */
export function total(
  { destinations }: Count,
  figure: Exclude<keyof DestinationCount, 'destination' | 'kind'>,
): number {
  return destinations.reduce((sum, one) => sum + one[figure], 0);
}
