import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberOf, SeenNumbers, SeenSequences } from './seen-sequences.js';

describe('numberOf', () => {
  it('finds epoch and sequence at the end of an event, as text and as base64', () => {
    const sequences = fc.property(fc.nat(), fc.nat(), fc.string({ unit: 'binary' }), (epoch, sequence, filling) => {
      const number = { epoch, sequence };
      const body = `${JSON.stringify({ filling }).slice(0, -1)},"epoch":${epoch},"sequence":${sequence}}`;
      expect(numberOf(body, 'utf8')).toEqual(number);
      expect(numberOf(Buffer.from(body).toString('base64'), 'base64')).toEqual(number);
      expect(numberOf(Buffer.from(`${body}\n`).toString('base64'), 'base64')).toEqual(number);
    });
    fc.assert(sequences);
  });

  it('finds it before what proves the event, and before fields that a target adds', () => {
    const log = `${'n'.repeat(100)}/ed_01m8h7qzwxfq9sz91agtqqdv3j/${Number.MAX_SAFE_INTEGER}`;
    const integrity = { log, index: Number.MAX_SAFE_INTEGER, salt: 'f'.repeat(32) };
    const added = { TimeGenerated: '2026-01-01T00:00:00.000Z' };
    const body = JSON.stringify({ description: 'x'.repeat(999), epoch: 2, sequence: 7, integrity, ...added });
    expect(numberOf(body, 'utf8')).toEqual({ epoch: 2, sequence: 7 });
    expect(numberOf(Buffer.from(body).toString('base64'), 'base64')).toEqual({ epoch: 2, sequence: 7 });
  });

  it('takes the last of several sequences, and epoch 1 where there is none', () => {
    const body = '{"description":{"epoch":4,"sequence":3},"sequence":12}';
    expect(numberOf(body, 'utf8')).toEqual({ epoch: 1, sequence: 12 });
  });

  it('returns null without a sequence', () => {
    expect(numberOf('{"a":1}', 'utf8')).toBeNull();
  });
});

it('SeenNumbers keeps the sequences of epochs apart', () => {
  const seen = new SeenNumbers();
  const numbers = [1, 2, 1].map((epoch) => ({ epoch, sequence: 5 }));
  expect(numbers.map((number) => seen.record(number))).toEqual([false, false, true]);
});

describe('SeenSequences', () => {
  it('detects repeats in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100_000)), (sequences) => {
        const seenSequences = new SeenSequences();
        const seen = new Set<number>();
        for (const sequence of sequences) {
          expect(seenSequences.record(sequence)).toBe(seen.has(sequence));
          seen.add(sequence);
        }
      }),
    );
  });
});
