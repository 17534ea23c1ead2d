import { expect, test } from 'vitest';
import { newId } from '../ids/id.js';
import { Authenticator } from './authenticator.js';
import type { TokenRow } from './token-store.js';
import { hashKeyToken, hashToken, keyIdOf, mintToken } from './token.js';

test('a token contains the id of its key and is unique', () => {
  const keyId = newId('ak');
  const tokens = Array.from({ length: 50 }, () => mintToken(keyId));
  expect(new Set(tokens).size).toBe(50);
  for (const token of tokens) {
    expect(token).toMatch(/^waybill_[0-9a-z]{26}_[0-9a-f]{64}$/);
    expect(keyIdOf(token)).toBe(keyId);
  }
});

test.each([
  '',
  'x',
  'waybill_',
  `waybill_${'z'.repeat(26)}_${'0'.repeat(64)}`,
  `Waybill_${'0'.repeat(26)}_${'0'.repeat(64)}`,
])('%j names no key', (token) => {
  expect(keyIdOf(token)).toBeNull();
});

function row(token: string, fields: Partial<TokenRow> = {}): TokenRow {
  return {
    keyId: newId('ak'),
    accountId: 'acct_1',
    tokenHash: hashToken(token),
    role: 'admin',
    ownerId: 'usr_1',
    ownerKind: 'user',
    ownerName: 'admin',
    admin: true,
    active: true,
    ...fields,
  };
}

test('only the row with the hash of the token matches', async () => {
  const authenticator = new Authenticator({
    candidates: () => Promise.resolve([[row('other'), row('mine', { ownerId: 'usr_2' })]]),
  });
  expect(await authenticator.authenticate('mine')).toMatchObject({ principal: { id: 'usr_2' } });
  expect(await authenticator.authenticate('neither')).toBeNull();
});

test('the stored hash of a key with a role other than admin matches that role only', async () => {
  const publisher = row('t', { role: 'publisher', tokenHash: hashKeyToken('t', 'publisher') });
  const callerOf = (found: TokenRow) =>
    new Authenticator({ candidates: () => Promise.resolve([[found]]) }).authenticate('t');
  expect(await callerOf(publisher)).toMatchObject({ credential: { role: 'publisher' } });
  // A release without roles compares with the hash of the token alone.
  expect(publisher.tokenHash.equals(hashToken('t'))).toBe(false);
  for (const role of ['admin', null] as const) expect(await callerOf({ ...publisher, role })).toBeNull();
});

test('a key of an unknown kind of owner is invalid, and an impossible token is not looked up', async () => {
  const odd = new Authenticator({
    candidates: () => Promise.resolve([[row('t', { ownerKind: 'ip_policy' })]]),
  });
  expect(await odd.authenticate('t')).toBeNull();
  const unasked = new Authenticator({ candidates: () => Promise.reject(new Error('asked')) });
  expect(await unasked.authenticate('')).toBeNull();
  expect(await unasked.authenticate('x'.repeat(201))).toBeNull();
});
