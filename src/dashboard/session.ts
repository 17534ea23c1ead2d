import { z } from 'zod';
import type { KeyRing } from '../secrets/key-ring.js';

/** How long a session lasts: a working day. */
export const SESSION_SECONDS = 8 * 60 * 60;

/** Which API key a session was opened with. Whether that key still counts is asked at every request. */
export interface Session {
  readonly accountId: string;
  readonly credentialId: string;
}

const FIELD = 'dashboard.session';
const cookieShape = z.tuple([z.string(), z.string(), z.string(), z.base64(), z.base64()]);
const LONGEST_COOKIE = 1024;

/**
 * Sessions that live in the cookie alone, so that any process with the same key ring can read them: the expiry, sealed with
 * the account and the API key as associated data. Nobody without the key ring can make one or move one to another key, and
 * a rotation of the ring keeps those that its older keys sealed.
 */
export class Sessions {
  constructor(private readonly ring: KeyRing) {}

  /** The value of the cookie of a session that begins at `nowMs`. */
  open(session: Session, nowMs: number): string {
    const { accountId, credentialId } = session;
    const expiresMs = nowMs + SESSION_SECONDS * 1000;
    const sealed = this.ring.seal({ accountId, resourceId: credentialId, field: FIELD }, String(expiresMs));
    const parts = [
      accountId,
      credentialId,
      sealed.keyId,
      sealed.nonce.toString('base64'),
      sealed.ciphertext.toString('base64'),
    ];
    return Buffer.from(JSON.stringify(parts)).toString('base64url');
  }

  /** The session of a cookie's value; null when it is expired, forged, damaged, or sealed with a key that is gone. */
  read(cookie: string, nowMs: number): Session | null {
    const parts = cookieParts(cookie);
    if (parts === null) return null;
    const [accountId, credentialId, keyId, nonce, ciphertext] = parts;
    const sealed = {
      keyId,
      nonce: Buffer.from(nonce, 'base64'),
      ciphertext: Buffer.from(ciphertext, 'base64'),
    };
    try {
      const expiresMs = Number(this.ring.open({ accountId, resourceId: credentialId, field: FIELD }, sealed));
      return expiresMs > nowMs ? { accountId, credentialId } : null;
    } catch {
      return null;
    }
  }
}

function cookieParts(cookie: string): z.infer<typeof cookieShape> | null {
  if (cookie.length > LONGEST_COOKIE) return null;
  try {
    return cookieShape.safeParse(JSON.parse(Buffer.from(cookie, 'base64url').toString())).data ?? null;
  } catch {
    return null;
  }
}
