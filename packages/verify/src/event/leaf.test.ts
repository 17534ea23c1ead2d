import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../readers/canonical-json.js';
import { commitmentOf, leafData } from './leaf.js';

describe('the canonical form', () => {
  it.each([
    [
      'order of members and white space',
      '{"b": [1, 2],\n "a": {"d": null, "c": true}}',
      '{"a":{"c":true,"d":null},"b":[1,2]}',
    ],
    [
      'numbers',
      '[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, -0]',
      '[333333333.3333333,1e+30,4.5,0.002,1e-27,0]',
    ],
    ['escapes', '"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
    [
      'names in the order of UTF-16',
      '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}',
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    ],
    ['names that JavaScript treats in a special way', '{"__proto__":1,"10":2,"9":3}', '{"10":2,"9":3,"__proto__":1}'],
  ])('is that of RFC 8785: %s', (_, text, form) => {
    expect(canonicalJson(JSON.parse(text))).toBe(form);
  });

  it('is one for a value, and its own', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const form = canonicalJson(value);
        expect(canonicalJson(JSON.parse(form))).toBe(form);
        expect(JSON.parse(form)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('refuses what is nested too deeply for any event', () => {
    expect(() => canonicalJson(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toThrow('is nested too deeply');
  });
});

describe('a leaf', () => {
  it('is the version, the sequence, the flags and the commitment', () => {
    const salt = Buffer.alloc(16, 7);
    const commitment = createHash('sha256').update(salt).update('{"a":1,"b":2}').digest();
    expect(Buffer.from(commitmentOf(salt, { b: 2, a: 1 }))).toEqual(commitment);
    const data = Buffer.from(leafData({ sequence: 2 ** 40 + 3, isBackfill: true, commitment }));
    expect(data.toString('hex')).toBe(`01000001000000000301${commitment.toString('hex')}`);
    const first = Buffer.from(leafData({ sequence: 1, isBackfill: false, commitment }));
    expect(first.toString('hex', 0, 10)).toBe('01000000000000000100');
  });
});
