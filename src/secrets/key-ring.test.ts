import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { array, assert, constantFrom, integer, pre, property, record, string, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testKeyRing } from '../../test/support/secrets.js';
import { KeyRing, KeyRingError, CREATE_KEY_COMMAND, type SealedSecret } from './key-ring.js';

const key = (bytes = 32): string => randomBytes(bytes).toString('base64');
const text = string({ unit: 'grapheme', maxLength: 200 });
const location = record({ accountId: text, resourceId: text, field: text });

describe('a key ring', () => {
  const ring = testKeyRing();

  test('opens what it sealed, for any text and location', () => {
    assert(
      property(location, text, (at, secret) => {
        expect(ring.open(at, ring.seal(at, secret))).toBe(secret);
      }),
    );
  });

  test('does not open a secret at another location, even when the joined parts are equal', () => {
    const part = array(constantFrom('a', '"', ',', '[', '\\', '\u0000', '/'), { maxLength: 4 }).map((parts) =>
      parts.join(''),
    );
    const place = record({ accountId: part, resourceId: part, field: part });
    assert(
      property(place, place, (at, other) => {
        pre(JSON.stringify(at) !== JSON.stringify(other));
        expect(() => ring.open(other, ring.seal(at, 'secret'))).toThrow('cannot be decrypted');
      }),
    );
  });

  test('does not open a changed or truncated secret', () => {
    const at = { accountId: 'acc_1', resourceId: 'ed_1', field: 'target.monitoring.api_key' };
    assert(
      property(
        text,
        constantFrom('nonce', 'ciphertext'),
        integer({ min: 0 }),
        integer({ min: 0, max: 7 }),
        (secret, part, place, bit) => {
          const sealed = ring.seal(at, secret);
          const bytes = Buffer.from(sealed[part]);
          const index = place % bytes.length;
          bytes.writeUInt8(bytes.readUInt8(index) ^ (1 << bit), index);
          expect(() => ring.open(at, { ...sealed, [part]: bytes })).toThrow('cannot be decrypted');
          expect(() => ring.open(at, { ...sealed, [part]: sealed[part].subarray(0, index) })).toThrow(
            'cannot be decrypted',
          );
        },
      ),
    );
  });

  test('does not open with another key of the same id, nor under the id of another key', () => {
    const at = { accountId: 'acc_1', resourceId: 'ed_1', field: 'f' };
    assert(
      property(text, (secret) => {
        expect(() => testKeyRing().open(at, ring.seal(at, secret))).toThrow('cannot be decrypted');
        const two = testKeyRing('a', 'b');
        const sealed: SealedSecret = { ...two.sealWith('a', at, secret), keyId: 'b' };
        expect(() => two.open(at, sealed)).toThrow('cannot be decrypted');
      }),
    );
  });

  test('never seals the same text to the same bytes', () => {
    const at = { accountId: 'acc_1', resourceId: 'ed_1', field: 'f' };
    const seals = Array.from({ length: 1_000 }, () => ring.seal(at, 'secret'));
    expect(new Set(seals.map(({ nonce }) => nonce.toString('hex'))).size).toBe(1_000);
    expect(new Set(seals.map(({ ciphertext }) => ciphertext.toString('hex'))).size).toBe(1_000);
  });

  test('seals with its first key and opens with every key', () => {
    const id = string({ unit: constantFrom('a', 'Z', '0', '.', '_', '-'), maxLength: 63 }).map((rest) => `k${rest}`);
    assert(
      property(uniqueArray(id, { minLength: 1, maxLength: 5 }), (ids) => {
        const keys = ids.map((one) => `${one}:${key()}`);
        const at = { accountId: 'acc_1', resourceId: 'ed_1', field: 'f' };
        const old = KeyRing.parse(keys.join(','));
        const turned = KeyRing.parse(keys.toReversed().join(' ,\n'));
        expect(old.keyIds).toEqual(ids);
        expect(old.seal(at, 'secret').keyId).toBe(ids[0]);
        expect(turned.seal(at, 'secret').keyId).toBe(ids.at(-1));
        expect(turned.open(at, old.seal(at, 'secret'))).toBe('secret');
      }),
    );
  });

  test.each([
    ['', 'key 1 of 1 is empty'],
    [`k1:${key()},`, 'key 2 of 2 is empty'],
    [key(), 'key 1 of 1 has no id'],
    [`:${key()}`, 'the id of key 1 of 1'],
    [`k 1:${key()}`, 'the id of key 1 of 1'],
    [`k1:${key()},k1:${key()}`, 'two keys have the id k1'],
    [`k1:${key(16)}`, 'key 1 of 1 (k1) is not the base64 of 32 bytes: it decodes to 16 bytes'],
    [`k1:${key()},k2:${key(33)}`, 'key 2 of 2 (k2) is not the base64 of 32 bytes: it decodes to 33 bytes'],
    [`k1:${randomBytes(32).toString('hex')}`, 'is not the base64 of 32 bytes: it decodes to 48 bytes'],
    ['k1:hunter2!', 'key 1 of 1 (k1) is not the base64 of 32 bytes.'],
    [`k1:${'A'.repeat(42)}B=`, 'key 1 of 1 (k1) is not canonical base64'],
  ])('names the error of an invalid ring (%#)', (given, message) => {
    expect(() => KeyRing.parse(given)).toThrow(KeyRingError);
    expect(() => KeyRing.parse(given)).toThrow(message);
    expect(() => KeyRing.parse(given)).toThrow(CREATE_KEY_COMMAND);
  });

  test('never repeats a key in a message', () => {
    const secret = randomBytes(31).toString('base64');
    for (const given of [secret, `k1:${secret}`, `k1:${key()},${secret}`, `${secret}:k1`]) {
      expect(() => KeyRing.parse(given)).toThrow(expect.not.stringContaining(secret.slice(0, 8)));
    }
  });

  test('shows no key when it is inspected or serialized', () => {
    const [bytes, hidden] = [randomBytes(32), KeyRing.parse(`k1:${key()}`)];
    hidden.merge(KeyRing.parse(`k2:${bytes.toString('base64')}`));
    const shown = [inspect(hidden, { depth: null }), JSON.stringify({ hidden })].join();
    expect(shown).toContain('k1');
    expect(shown).not.toContain('Buffer');
    for (const encoding of ['base64', 'hex'] as const)
      expect(shown.replaceAll(' ', '')).not.toContain(bytes.toString(encoding).slice(0, 16));
  });

  test('names a missing key', () => {
    const at = { accountId: 'acc_1', resourceId: 'ed_1', field: 'f' };
    expect(() => ring.open(at, testKeyRing('lost').seal(at, 'secret'))).toThrow('lacks the key lost');
  });

  test('merges another ring in its order, and keeps the key that seals', () => {
    const [one, two, three] = [`k1:${key()}`, `k2:${key()}`, `k3:${key()}`];
    const at = { accountId: 'acc_1', resourceId: 'ed_1', field: 'f' };
    const ours = KeyRing.parse(`${one},${two}`);
    const sealed = ours.seal(at, 'secret');
    ours.merge(KeyRing.parse(`${three},${one}`));
    expect(ours.keyIds).toEqual(['k3', 'k1', 'k2']);
    expect(ours.seal(at, 'secret').keyId).toBe('k1');
    ours.switchTo('k3');
    expect(KeyRing.parse(three).open(at, ours.seal(at, 'later'))).toBe('later');
    expect(ours.open(at, sealed)).toBe('secret');
    expect(() => ours.merge(KeyRing.parse(`k1:${key()}`))).toThrow(
      'The key k1 in SECRETS_KEYS was changed under its id',
    );
    expect(() => ours.switchTo('lost')).toThrow('lacks the key lost');
  });

  test('can be created with the command in its messages', () => {
    const [, script] = /node -e "(.*)"/.exec(CREATE_KEY_COMMAND) ?? [];
    const made = execFileSync(process.execPath, ['-e', script ?? ''], { encoding: 'utf8' });
    expect(KeyRing.parse(made).keyIds).toEqual(['k1']);
  });
});
