import { createHash } from 'node:crypto';
import { canonicalJson } from '@waybill/verify';
import { expect, it } from 'vitest';
import { saltedCommitmentOf } from './salted-commitment.js';

it('commits to the canonical JSON with a salt', () => {
  const payload = '{"b":1.50,"a":"ä","__proto__":{"2":null,"10":[]}}';
  const made = saltedCommitmentOf(payload);
  const salt = Buffer.from(made.slice(0, 32), 'hex');
  const text = '{"__proto__":{"10":[],"2":null},"a":"ä","b":1.5}';
  expect(canonicalJson(JSON.parse(payload))).toBe(text);
  expect(made.slice(32)).toBe(createHash('sha256').update(salt).update(text).digest('hex'));
});

it('uses no salt twice', () => {
  const salts = Array.from({ length: 2_000 }, () => saltedCommitmentOf('{}').slice(0, 32));
  expect(new Set(salts).size).toBe(salts.length);
  expect(salts.every((salt) => /^[0-9a-f]{32}$/.test(salt))).toBe(true);
});
