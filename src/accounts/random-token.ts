import { randomBytes } from 'node:crypto';

const BYTES = 32;
const pattern = /^[\w-]{43}$/;

/** Returns a new secret of 256 random bits as base64url, for a session or a sign-in code. */
export function randomToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Whether a text has the form of such a secret. */
export function isRandomToken(text: string): boolean {
  return pattern.test(text);
}
