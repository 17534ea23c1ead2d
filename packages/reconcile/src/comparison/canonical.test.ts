import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { canonicalJson, digestOf } from './canonical.js';

it.each([
  [
    'order of members and white space',
    '{"b": [1, 2],\n "a": {"d": null, "c": true}}',
    '{"a":{"c":true,"d":null},"b":[1,2]}',
  ],
  ['numbers', '[1.0, 1e2, 0.10, -0]', '[1,100,0.1,0]'],
  ['escapes', '"\\u0041\\/\\u00e9"', '"A/é"'],
  ['names that JavaScript treats in a special way', '{"__proto__":1,"10":2,"9":3}', '{"10":2,"9":3,"__proto__":1}'],
])('has one form for %s', (_, text, form) => {
  expect(canonicalJson(JSON.parse(text))).toBe(form);
});

it('keeps apart what differs', () => {
  const texts = [
    '1',
    '"1"',
    '1e999',
    '-1e999',
    '"Infinity"',
    'null',
    '[]',
    '{}',
    '[1,2]',
    '[2,1]',
    '{"a":null}',
    '{"a":"b"}',
    '{"b":"a"}',
  ];
  expect(new Set(texts.map((text) => digestOf(JSON.parse(text)))).size).toBe(texts.length);
});

it('has the SHA-256 of the form', () => {
  const hash = createHash('sha256').update('{"a":"é"}').digest().toString('latin1');
  expect(digestOf({ a: 'é' })).toBe(hash);
});

it('refuses what is nested too deeply for any event', () => {
  expect(() => digestOf(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toThrow('is nested too deeply');
});
