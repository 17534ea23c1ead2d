import { DeadlineThread } from '../../timing/deadline-thread.js';
import type { EncodedKey } from './pem.js';

/** A certificate with its chain, in DER, and perhaps its key. */
export interface OpensslInput {
  readonly certificates: readonly Uint8Array[];
  readonly key: { readonly der: Uint8Array; readonly form: EncodedKey['form'] } | null;
}

/** What OpenSSL found. */
export type OpensslResult =
  /** `isAuthority`: whether the first certificate may sign others. */
  | { readonly kind: 'accepted'; readonly isAuthority: boolean }
  | { readonly kind: 'certificate_unreadable'; readonly index: number }
  | { readonly kind: 'key_unreadable' }
  | { readonly kind: 'key_mismatch' };

/** Longest check, in milliseconds. The slowest supported keys take a few. */
const LIMIT_MS = 2_000;
const THREAD = new URL('./openssl-thread.mjs', import.meta.url);

/**
 * Returns a thread that parses certificates and keys with OpenSSL: the cost of a parse depends on numbers that the
 * sender chooses, and nothing can interrupt it.
 * @param limitMs longest check
 * @param script the code of the thread
 */
export function opensslThread(
  limitMs: number = LIMIT_MS,
  script: URL = THREAD,
): DeadlineThread<OpensslInput, OpensslResult> {
  return new DeadlineThread({ script, limitMs });
}
