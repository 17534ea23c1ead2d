import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sequenceOf, SeenSequences } from './seen-sequences.js';

describe('sequenceOf', () => {
  it('finds the sequence at the end of an event, as text and as base64', () => {
    const sequences = fc.property(fc.nat(), fc.string({ unit: 'binary' }), (sequence, filling) => {
      const body = `${JSON.stringify({ filling }).slice(0, -1)},"sequence":${sequence}}`;
      expect(sequenceOf(body, 'utf8')).toBe(sequence);
      expect(sequenceOf(Buffer.from(body).toString('base64'), 'base64')).toBe(sequence);
      expect(sequenceOf(Buffer.from(`${body}\n`).toString('base64'), 'base64')).toBe(sequence);
    });
    fc.assert(sequences);
  });

  it('finds it before fields that a target adds', () => {
    expect(sequenceOf('{"sequence":7,"TimeGenerated":"2026-01-01T00:00:00.000Z"}', 'utf8')).toBe(7);
  });

  it('takes the last of several sequences', () => {
    expect(sequenceOf('{"description":{"sequence":3},"sequence":12}', 'utf8')).toBe(12);
  });

  it('returns null without a sequence', () => {
    expect(sequenceOf('{"a":1}', 'utf8')).toBeNull();
  });
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
