import fc from 'fast-check';
import type { BatchDelivery } from '../../../../src/delivery/lanes/batch-store.js';
import { capacityWithin, chunkIntoCalls } from '../../../../src/targets/chunk.js';
import type { Outcome } from '../../../../src/targets/target.js';

/**
 * What happens to one call of an attempt.
 * - `accepted`: every record arrives
 * - `lost`: every record arrives, and the response is lost
 * - `refused`: no record arrives
 * - `misconfigured`: no record arrives; the destination's owner has to act
 * - `rejected`: the vendor refuses the call and names no record
 * - `mixed`: the vendor responds record by record
 * - `interrupted`: Waybill ends the call; its records may have arrived
 * - `unsent`: the attempt makes no call any more
 */
const kinds = ['accepted', 'lost', 'refused', 'misconfigured', 'rejected', 'mixed', 'interrupted', 'unsent'] as const;

/** The fate of one call, and of each of its records. */
export interface CallFate {
  readonly kind: (typeof kinds)[number];
  readonly bits: number;
}

/** The fates of the calls of an attempt, in order; the calls after them are accepted. */
export const callFates: fc.Arbitrary<readonly CallFate[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...kinds, 'accepted', 'accepted', 'accepted', 'accepted'), bits: fc.nat(255) }),
  { minLength: 1, maxLength: 3, size: 'max' },
);

/** The outcomes of an attempt, and which of its deliveries arrived. */
export interface SentAttempt {
  readonly outcomes: readonly Outcome[];
  readonly arrived: readonly BatchDelivery[];
}

const reason = { code: 'http_503', message: 'busy' };
const postponed: Outcome = { kind: 'postponed' };

/**
 * Sends deliveries as a target of records does (docs/decisions/order.md): a call has at most one event of a resource,
 * and no call follows one that failed.
 */
export function sendCalls(deliveries: readonly BatchDelivery[], fates: readonly CallFate[]): SentAttempt {
  const limits = { records: 3, bytes: 1_000 };
  const sizeOf = ({ event }: BatchDelivery) => ({ bytes: 1, orderingKeys: [event.resourceId] });
  const outcomes: Outcome[] = [];
  const arrived: BatchDelivery[] = [];
  let failed = false;
  for (const [index, call] of chunkIntoCalls(deliveries, () => capacityWithin(limits, sizeOf)).entries()) {
    const fate = fates[index] ?? { kind: 'accepted', bits: 0 };
    for (const [position, delivery] of call.entries()) {
      const [outcome, arrives] = failed ? [postponed, false] : recordFate(fate, (fate.bits >> position) % 4);
      outcomes.push(outcome);
      if (arrives) arrived.push(delivery);
    }
    failed ||= outcomes.slice(-call.length).some(({ kind }) => kind !== 'delivered' && kind !== 'rejected');
    failed ||= fate.kind === 'rejected';
  }
  return { outcomes, arrived };
}

/** The outcome of a record, and whether it arrives. */
function recordFate({ kind, bits }: CallFate, choice: number): readonly [Outcome, boolean] {
  switch (kind) {
    case 'accepted':
      return [{ kind: 'delivered' }, true];
    case 'lost':
      return [{ kind: 'retry', reason }, true];
    case 'refused':
      return [{ kind: 'retry', reason }, false];
    case 'misconfigured':
      return [{ kind: 'misconfigured', reason }, false];
    case 'rejected':
      return [{ kind: 'rejected', basis: 'call', reason }, false];
    case 'mixed':
      if (choice === 1) return [{ kind: 'retry', reason }, false];
      return choice === 2 ? [{ kind: 'rejected', basis: 'record', reason }, false] : [{ kind: 'delivered' }, true];
    case 'interrupted':
      return [{ kind: 'interrupted', reason }, bits % 2 === 1];
    case 'unsent':
      return [postponed, false];
  }
}
