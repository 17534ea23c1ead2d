import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { KeyRing } from '../secrets/key-ring.js';
import { SESSION_SECONDS, Sessions } from './session.js';

const now = Date.UTC(2026, 0, 1);
const session = { accountId: 'acct_1', credentialId: 'ak_1' };
const makeKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [old, current] = [makeKey('old'), makeKey('new')];
const sessions = new Sessions(KeyRing.parse(old));

/** The cookie with one of its parts replaced. */
function forged(cookie: string, change: (parts: string[]) => void): string {
  const parts: unknown = JSON.parse(Buffer.from(cookie, 'base64url').toString());
  if (!Array.isArray(parts)) throw new Error('The cookie is not a list.');
  const texts = parts.map(String);
  change(texts);
  return Buffer.from(JSON.stringify(texts)).toString('base64url');
}

test('a session can be read until it expires', () => {
  const cookie = sessions.open(session, now);
  expect(sessions.read(cookie, now)).toEqual(session);
  expect(sessions.read(cookie, now + SESSION_SECONDS * 1000 - 1)).toEqual(session);
  expect(sessions.read(cookie, now + SESSION_SECONDS * 1000)).toBeNull();
});

test('every process with the key can read a session, also after a new key was added', () => {
  const cookie = sessions.open(session, now);
  expect(new Sessions(KeyRing.parse(`${current},${old}`)).read(cookie, now)).toEqual(session);
});

test('a session ends when its key is removed', () => {
  const cookie = sessions.open(session, now);
  expect(new Sessions(KeyRing.parse(current)).read(cookie, now)).toBeNull();
});

test.each([
  ['account', 0],
  ['API key', 1],
] as const)('a session cannot be moved to another %s', (_what, part) => {
  const cookie = forged(sessions.open(session, now), (parts) => {
    parts[part] = `${parts[part]}0`;
  });
  expect(sessions.read(cookie, now)).toBeNull();
});

test('a session with a changed expiry is invalid', () => {
  const cookie = forged(sessions.open(session, now), (parts) => {
    const ciphertext = Buffer.from(parts[4] ?? '', 'base64');
    ciphertext.writeUInt8(ciphertext.readUInt8(0) ^ 1, 0);
    parts[4] = ciphertext.toString('base64');
  });
  expect(sessions.read(cookie, now)).toBeNull();
});

test.each(['', 'x', 'bnVsbA', Buffer.from('["a"]').toString('base64url'), 'A'.repeat(5000)])(
  'what is no session is no session: %s',
  (cookie) => {
    expect(sessions.read(cookie, now)).toBeNull();
  },
);

test('a cookie does not reveal its expiry, and no two cookies are equal', () => {
  const [one, other] = [sessions.open(session, now), sessions.open(session, now)];
  expect(one).not.toBe(other);
  expect(Buffer.from(one, 'base64url').toString()).not.toContain(String(now + SESSION_SECONDS * 1000));
});
