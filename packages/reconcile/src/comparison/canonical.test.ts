import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { digestOf } from './canonical.js';

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
