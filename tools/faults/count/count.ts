import type { ReceivedEvent } from '../../sandbox/sandbox-contract.js';
import type { Ledger } from './ledger.js';
import type { RejectedEvent } from './rejected.js';

/** What arrived at one destination, held against what was published. */
export interface DestinationCount {
  readonly destination: string;
  readonly kind: string;
  readonly published: number;
  /** Published events that arrived, each counted once. */
  readonly delivered: number;
  /** Published events that did not arrive and that nothing accounts for. */
  readonly lost: number;
  /** Published events that did not arrive and that the API shows as rejected by the target: said, and not lost. */
  readonly rejected: number;
  /** Arrivals of an event that had arrived before. */
  readonly duplicates: number;
  /** First arrivals whose `sequence` is lower than one that had arrived before. */
  readonly order_violations: number;
  /** First arrivals of a change to a resource after a later change to it had arrived. */
  readonly resource_order_violations: number;
  /** Numbers missing between 1 and the highest `sequence` that arrived, those of rejected events not counted. */
  readonly gaps: number;
  /** Events that arrived and that the log does not know. */
  readonly unknown: number;
}

/** What a scenario ends with: the count of all its destinations. */
export interface Count {
  /** Events of the log; each is published to every destination. */
  readonly published: number;
  /** Those of them whose request was not answered 2xx: the connection was lost, or the answer was an error. */
  readonly published_unanswered: number;
  /** Requests that were answered 2xx and whose event the log does not have, and events missing in the chain of a resource. */
  readonly unrecorded: number;
  readonly destinations: readonly DestinationCount[];
}

interface Delivered {
  readonly event_id: string;
  readonly sequence: number;
}

/**
 * Counts what one destination received, in the order in which it arrived.
 * @param rejected what the API shows as rejected
 */
export function countDestination(
  destination: { readonly id: string; readonly kind: string },
  received: readonly Pick<ReceivedEvent, 'body'>[],
  ledger: Ledger,
  rejected: readonly RejectedEvent[] = [],
): DestinationCount {
  const seen = new Set<string>();
  const sequences = new Set<number>();
  const revisions = new Map<string, number>();
  const tally = { delivered: 0, orderViolations: 0, resourceViolations: 0, unknown: 0 };
  let highest = 0;
  for (const { body } of received) {
    const { event_id: id, sequence } = JSON.parse(body) as Delivered;
    if (seen.has(id)) continue;
    seen.add(id);
    sequences.add(sequence);
    if (sequence < highest) tally.orderViolations += 1;
    highest = Math.max(highest, sequence);
    const event = ledger.events.get(id);
    if (!event) {
      tally.unknown += 1;
      continue;
    }
    tally.delivered += 1;
    const revision = ledger.revisions.get(id) ?? 0;
    const latest = revisions.get(event.resourceId) ?? -1;
    if (revision < latest) tally.resourceViolations += 1;
    else revisions.set(event.resourceId, revision);
  }
  const missing = rejected.filter(({ eventId }) => ledger.events.has(eventId) && !seen.has(eventId));
  const explained = missing.filter(({ sequence }) => sequence < highest && !sequences.has(sequence));
  return {
    destination: destination.id,
    kind: destination.kind,
    published: ledger.events.size,
    delivered: tally.delivered,
    lost: ledger.events.size - tally.delivered - missing.length,
    rejected: missing.length,
    duplicates: received.length - seen.size,
    order_violations: tally.orderViolations,
    resource_order_violations: tally.resourceViolations,
    gaps: highest - sequences.size - explained.length,
    unknown: tally.unknown,
  };
}

/** Puts the counts of the destinations and what the load was told together. */
export function countAll(
  ledger: Ledger,
  accepted: ReadonlySet<string>,
  destinations: readonly DestinationCount[],
): Count {
  const logged = new Set(Array.from(ledger.events.values(), ({ operationId }) => operationId));
  const unrecorded = Array.from(accepted).filter((id) => !logged.has(id)).length;
  return {
    published: ledger.events.size,
    published_unanswered: Array.from(logged).filter((id) => !accepted.has(id)).length,
    unrecorded: unrecorded + ledger.breaks,
    destinations,
  };
}

/** The sum of one figure over all destinations. */
export function total(
  { destinations }: Count,
  figure: Exclude<keyof DestinationCount, 'destination' | 'kind'>,
): number {
  return destinations.reduce((sum, one) => sum + one[figure], 0);
}
