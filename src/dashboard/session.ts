import { z } from 'zod';
import type { KeyRing } from '../secrets/key-ring.js';

/** Lifetime of a session, in seconds: a working day. */
export const SESSION_SECONDS = 8 * 60 * 60;

/** The API key of a session. The key is checked on every request. */
export interface Session {
  readonly accountId: string;
  readonly credentialId: string;
}

const FIELD = 'dashboard.session';
const cookieShape = z.tuple([z.string(), z.string(), z.string(), z.base64(), z.base64()]);
const MAX_COOKIE_LENGTH = 1024;

/**
 * Sessions stored only in their cookie, so that every process with the same key ring can read them. A cookie is the
 * expiry, encrypted with account and API key as associated data. Only the key ring can create a session or bind it to
 * another key. Sessions survive a rotation while the ring has their key.
 */
export class Sessions {
  constructor(private readonly ring: KeyRing) {}

  /** Returns the cookie value of a session that begins at `nowMs`. */
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

  /**
   * Returns the session of a cookie value; null when it is expired, invalid, or encrypted with a removed key.
   */
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
  if (cookie.length > MAX_COOKIE_LENGTH) return null;
  try {
    return cookieShape.safeParse(JSON.parse(Buffer.from(cookie, 'base64url').toString())).data ?? null;
  } catch {
    return null;
  }
}
