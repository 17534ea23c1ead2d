import { sha256 } from '../log/sha256.js';
import { canonicalJson } from '../readers/canonical-json.js';

/** Bytes of a salt. */
export const SALT_BYTES = 16;

/** Version of the leaves: their first byte. */
const VERSION = 1;

/** What a leaf commits to. */
export interface EventLeaf {
  /** The number of the event in its destination. */
  readonly sequence: number;
  /** Whether the event has `"backfill": true`. */
  readonly isBackfill: boolean;
  /** `commitmentOf` its payload. */
  readonly commitment: Uint8Array;
}

/** Reused: most payloads are small, and most time would go into memory. */
let hashed = Buffer.alloc(262_144);

/**
 * Returns the SHA-256 of the salt and the canonical JSON of a payload.
 * @param payload the event without `epoch`, `sequence`, `backfill` and `integrity`
 */
export function commitmentOf(salt: Uint8Array, payload: unknown): Buffer {
  const text = canonicalJson(payload);
  // A character has at most 3 bytes for each of its UTF-16 code units.
  const most = salt.length + 3 * text.length;
  if (hashed.length < most) hashed = Buffer.alloc(most);
  hashed.set(salt);
  return sha256(hashed.subarray(0, salt.length + hashed.write(text, salt.length)));
}

/** Returns the data of a leaf, 42 bytes: version, number, flags, commitment. */
export function leafData({ sequence, isBackfill, commitment }: EventLeaf): Buffer {
  const data = Buffer.alloc(10 + commitment.length);
  data[0] = VERSION;
  data.writeBigUInt64BE(BigInt(sequence), 1);
  data[9] = isBackfill ? 1 : 0;
  data.set(commitment, 10);
  return data;
}
