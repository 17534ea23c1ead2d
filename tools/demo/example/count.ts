import type { ReceivedEvent } from '@waybill/sandbox';
import { isSignedCheckpoint } from '../proof.js';
import type { CommittedChange } from './audit.js';
import { changeOf, eventOf } from './change.js';

/** Arrivals at one destination compared with what was committed. */
export interface ExampleCount {
  /** Committed changes that arrived. */
  readonly delivered: number;
  readonly lost: number;
  /** Events without a committed change, signed checkpoints aside, such as one of a transaction that was rolled back. */
  readonly phantoms: number;
  /** Repeated arrivals of an event. */
  readonly duplicates: number;
  /** Changes that arrived after a later change of the same resource. */
  readonly order_violations: number;
  /** Sequences missing between 1 and the highest one that arrived. */
  readonly sequence_gaps: number;
  /** Events with a text that must not leave the example's database. */
  readonly leaks: number;
}

/**
 * Compares what arrived at one destination with what was committed.
 * @param committed in the order of the changes of each row
 * @param received in the order of arrival
 * @param privateTexts texts that no event may contain
 */
export function countExample(
  committed: readonly CommittedChange[],
  received: readonly ReceivedEvent[],
  privateTexts: readonly string[] = [],
): ExampleCount {
  const waiting = new Map<string, number[]>();
  for (const [position, change] of committed.entries()) {
    const key = changeOf(change);
    const positions = waiting.get(key);
    if (positions) positions.push(position);
    else waiting.set(key, [position]);
  }
  const seen = new Set<string>();
  const sequences = new Set<number>();
  const lastPosition = new Map<string, number>();
  let highest = 0;
  let delivered = 0;
  let phantoms = 0;
  let orderViolations = 0;
  let leaks = 0;
  for (const { body } of received) {
    const { eventId, sequence, resource, change } = eventOf(body);
    if (seen.has(eventId)) continue;
    seen.add(eventId);
    sequences.add(sequence);
    highest = Math.max(highest, sequence);
    if (privateTexts.some((text) => body.includes(text))) leaks += 1;
    if (isSignedCheckpoint(body)) continue;
    const position = waiting.get(change)?.shift();
    if (position === undefined) {
      phantoms += 1;
      continue;
    }
    delivered += 1;
    if (position < (lastPosition.get(resource) ?? -1)) orderViolations += 1;
    else lastPosition.set(resource, position);
  }
  return {
    delivered,
    lost: committed.length - delivered,
    phantoms,
    duplicates: received.length - seen.size,
    order_violations: orderViolations,
    sequence_gaps: highest - sequences.size,
    leaks,
  };
}
