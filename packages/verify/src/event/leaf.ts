import { sha256 } from '../log/sha256.js';
import { canonicalJson } from '../readers/canonical-json.js';

/** Bytes of a salt. */
export const SALT_BYTES = 16;

/** Version of the leaves: their first byte. */
const VERSION = 1;

/** What a leaf commits to. */
export interface EventLeaf {
  /** The sequence of the event in its destination. */
  readonly sequence: number;
  /** Whether the event has `"backfill": true`. */
  readonly isBackfill: boolean;
  /** `commitmentOf` its payload. */
  readonly commitment: Uint8Array;
}

/** Reused: most payloads are small, and most time would go into memory. */
let hashed = new Uint8Array(262_144);
const encoder = new TextEncoder();

/**
 * Returns the SHA-256 of the salt and the canonical JSON of a payload.
 * @param payload the event without `epoch`, `sequence`, `backfill` and `integrity`
 */
export function commitmentOf(salt: Uint8Array, payload: unknown): Uint8Array {
  const text = canonicalJson(payload);
  // A character has at most 3 bytes for each of its UTF-16 code units.
  const most = salt.length + 3 * text.length;
  if (hashed.length < most) hashed = new Uint8Array(most);
  hashed.set(salt);
  const { written } = encoder.encodeInto(text, hashed.subarray(salt.length));
  return sha256(hashed.subarray(0, salt.length + written));
}

/** Returns the data of a leaf, 42 bytes: version, sequence, flags, commitment. */
export function leafData({ sequence, isBackfill, commitment }: EventLeaf): Uint8Array {
  const data = new Uint8Array(10 + commitment.length);
  data[0] = VERSION;
  new DataView(data.buffer).setBigUint64(1, BigInt(sequence));
  data[9] = isBackfill ? 1 : 0;
  data.set(commitment, 10);
  return data;
}
