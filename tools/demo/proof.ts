import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedEvent } from '@waybill/sandbox';
import type { NoteKey, Verdict } from '@waybill/verify';
import { checkpointEvent } from '../../src/events/catalogue/checkpoint-event.js';
import type { ApiClient } from '../harness/api-client.js';
import { verifyArrivals } from '../harness/verify-arrivals.js';

/** Seconds between two checkpoints of a log in a demo. */
export const CHECKPOINT_SECONDS = '1';

/** Limit of the wait for checkpoints that cover what arrived. */
const SEALED_WITHIN_MS = 300_000;
const POLL_MS = 500;

/** `verified`, the first finding of the verifier, or why it could not tell. */
export type Proof = 'verified' | Verdict | 'not_yet_sealed' | 'not_compared';

/** A destination, and what arrived there. */
export interface ProvedDestination {
  readonly id: string;
  readonly received: () => readonly ReceivedEvent[];
}

/**
 * Verifies what arrived at each destination with its log, when a checkpoint covers all of it.
 * @param keys verifier keys, read before the first event
 */
export async function proveArrivals(
  api: ApiClient,
  keys: readonly NoteKey[],
  destinations: readonly ProvedDestination[],
): Promise<Proof> {
  const deadline = Date.now() + SEALED_WITHIN_MS;
  let proof: Proof;
  do {
    proof = 'verified';
    for (const { id, received } of destinations)
      if (proof === 'verified') proof = await proofOf(api, keys, id, received());
    if (proof !== 'verified') await sleep(POLL_MS);
    // What is not sealed yet is, a little later; and what a checkpoint covers may have arrived since.
  } while (proof !== 'verified' && Date.now() < deadline);
  return proof;
}

async function proofOf(
  api: ApiClient,
  keys: readonly NoteKey[],
  id: string,
  received: readonly ReceivedEvent[],
): Promise<Proof> {
  const { logs, findings, unsealed } = await verifyArrivals(api, id, received, keys);
  const [first] = findings.list;
  if (first !== undefined) return first.verdict;
  if (unsealed > 0 || logs.length === 0) return 'not_yet_sealed';
  return logs.every((log) => log.is_compared) ? 'verified' : 'not_compared';
}

/** Returns whether the body of an arrival is a signed checkpoint of a log, and no change. */
export function isSignedCheckpoint(body: string): boolean {
  return body.includes(`"event_type":"${checkpointEvent.type}"`);
}

/** Returns the sentence of a proof. */
export function proofSentence(proof: Proof): string {
  return proof === 'verified'
    ? 'The signed logs prove that what arrived is complete and unaltered (docs/proof.md): verified.'
    : `The signed logs do not prove what arrived (docs/proof.md): ${proof}.`;
}
