import { sha256 } from '../log/sha256.js';
import { canonicalJson } from './canonical-json.js';

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

/**
 * Returns the SHA-256 of the salt and the canonical JSON of a payload.
 * @param payload the event without `epoch`, `sequence`, `backfill` and `integrity`
 */
export function commitmentOf(salt: Uint8Array, payload: unknown): Buffer {
  return sha256(Buffer.concat([salt, Buffer.from(canonicalJson(payload))]));
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
