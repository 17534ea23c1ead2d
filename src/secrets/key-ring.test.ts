import { randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { array, assert, constantFrom, integer, pre, property, record, string, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testKeyRing } from '../../test/support/secrets.js';
import { KeyRing, KeyRingError, MAKE_A_KEY, type SealedSecret } from './key-ring.js';

const key = (bytes = 32): string => randomBytes(bytes).toString('base64');
const text = string({ unit: 'grapheme', maxLength: 200 });
const location = record({ accountId: text, resourceId: text, field: text });

describe('a key ring', () => {
  const ring = testKeyRing();

  test('opens what it sealed, whatever the text and the place', () => {
    assert(
      property(location, text, (at, secret) => {
        expect(ring.open(at, ring.seal(at, secret))).toBe(secret);
      }),
    );
  });

  test('does not open a secret at another place, also where the parts only join to the same text', () => {
    const part = array(constantFrom('a', '"', ',', '[', '\\', '\u0000', '/'), { maxLength: 4 }).map((parts) =>
      parts.join(''),
    );
    const place = record({ accountId: part, resourceId: part, field: part });
    assert(
      property(place, place, (at, other) => {
        pre(JSON.stringify(at) !== JSON.stringify(other));
        expect(() => ring.open(other, ring.seal(at, 'secret'))).toThrow('does not open');
      }),
    );
  });

  test('does not open a secret of which any bit was changed, nor one that was cut', () => {
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
          expect(() => ring.open(at, { ...sealed, [part]: bytes })).toThrow('does not open');
          expect(() => ring.open(at, { ...sealed, [part]: sealed[part].subarray(0, index) })).toThrow(
            'does not open',
          );
        },
      ),
    );
  });

  test('does not open with another key of the same id, nor under the id of another key', () => {
    const at = { accountId: 'acc_1', resourceId: 'ed_1', field: 'f' };
    assert(
      property(text, (secret) => {
        expect(() => testKeyRing().open(at, ring.seal(at, secret))).toThrow('does not open');
        const two = testKeyRing('a', 'b');
        const sealed: SealedSecret = { ...two.sealWith('a', at, secret), keyId: 'b' };
        expect(() => two.open(at, sealed)).toThrow('does not open');
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
    const id = string({ unit: constantFrom('a', 'Z', '0', '.', '_', '-'), maxLength: 63 }).map(
      (rest) => `k${rest}`,
    );
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
    [`k1:${'A'.repeat(42)}B=`, 'key 1 of 1 (k1) is not proper base64'],
  ])('says what is wrong with a ring that is not one (%#)', (given, message) => {
    expect(() => KeyRing.parse(given)).toThrow(KeyRingError);
    expect(() => KeyRing.parse(given)).toThrow(message);
    expect(() => KeyRing.parse(given)).toThrow(MAKE_A_KEY);
  });

  test('says nothing of the key in any message', () => {
    const secret = randomBytes(31).toString('base64');
    for (const given of [secret, `k1:${secret}`, `k1:${key()},${secret}`, `${secret}:k1`]) {
      expect(() => KeyRing.parse(given)).toThrow(expect.not.stringContaining(secret.slice(0, 8)));
    }
  });

  test('names the key that it lacks', () => {
    const at = { accountId: 'acc_1', resourceId: 'ed_1', field: 'f' };
    expect(() => ring.open(at, testKeyRing('lost').seal(at, 'secret'))).toThrow('does not hold the key lost');
  });

  test('takes keys from another ring, in its order, and goes on sealing with what it sealed with', () => {
    const [one, two, three] = [`k1:${key()}`, `k2:${key()}`, `k3:${key()}`];
    const at = { accountId: 'acc_1', resourceId: 'ed_1', field: 'f' };
    const ours = KeyRing.parse(`${one},${two}`);
    const sealed = ours.seal(at, 'secret');
    ours.take(KeyRing.parse(`${three},${one}`));
    expect(ours.keyIds).toEqual(['k3', 'k1', 'k2']);
    expect(ours.seal(at, 'secret').keyId).toBe('k1');
    ours.sealFromNowOnWith('k3');
    expect(KeyRing.parse(three).open(at, ours.seal(at, 'later'))).toBe('later');
    expect(ours.open(at, sealed)).toBe('secret');
    expect(() => ours.take(KeyRing.parse(`k1:${key()}`))).toThrow('The key k1 in SECRETS_KEYS was changed');
    expect(() => ours.sealFromNowOnWith('lost')).toThrow('does not hold the key lost');
  });

  test('can be made with the command that its messages give', () => {
    const [, script] = /node -e "(.*)"/.exec(MAKE_A_KEY) ?? [];
    const made = execFileSync(process.execPath, ['-e', script ?? ''], { encoding: 'utf8' });
    expect(KeyRing.parse(made).keyIds).toEqual(['k1']);
  });
});
