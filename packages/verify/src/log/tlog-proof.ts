import { fromBase64, toBase64 } from './base64.js';
import { HASH_BYTES } from './sha256.js';

const HEADER = 'c2sp.org/tlog-proof@v1';

/** A proof that a log has a leaf. https://c2sp.org/tlog-proof */
export interface LogProof {
  /** Index of the leaf. */
  readonly index: number;
  /** Hashes from the sibling of the leaf up. */
  readonly hashes: readonly Uint8Array[];
  /** Signed note. */
  readonly checkpoint: string;
}

/** Returns a proof as text. */
export function formatLogProof({ index, hashes, checkpoint }: LogProof): string {
  const lines = [HEADER, `index ${index}`, ...hashes.map(toBase64)];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}

/**
 * Parses a proof. Verifies nothing.
 * @throws Error for what is no proof
 */
export function parseLogProof(text: string): LogProof {
  const end = text.indexOf('\n\n');
  const [header, ...lines] = text.slice(0, Math.max(end, 0)).split('\n');
  // Extra data is not authenticated, and Waybill has none.
  if (lines[0]?.startsWith('extra ')) lines.shift();
  const index = /^index (0|[1-9]\d*)$/.exec(lines.shift() ?? '')?.[1];
  const hashes = lines.map(fromBase64).filter((hash) => hash?.length === HASH_BYTES);
  if (header !== HEADER || index === undefined || hashes.length !== lines.length)
    throw new Error(`This is no proof that begins with ${HEADER}.`);
  return { index: Number(index), hashes: hashes.filter((hash) => hash !== null), checkpoint: text.slice(end + 2) };
}
