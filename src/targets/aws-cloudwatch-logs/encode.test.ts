import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimedBytes, exampleEvent } from '../../../test/targets/conformance/events.js';
import { encodeLogRecord, logGroupLimits } from './encode.js';

const now = Date.parse('2026-11-20T12:00:00Z');
const HOUR = 3_600_000;

describe('the encoding for a log group', () => {
  it.each([
    ['an event of now', 0],
    ['an event of 13 days ago', -13 * 24 * HOUR],
    ['an event an hour ahead', HOUR],
  ])('keeps the time of %s', (_, offset) => {
    expect(encodeLogRecord(exampleEvent(1, { timestampMs: now + offset }), now).timestamp).toBe(now + offset);
  });

  it.each([
    ['an event of 14 days ago', -14 * 24 * HOUR],
    ['an event just inside 14 days, which may be outside when it arrives', -14 * 24 * HOUR + 60_000],
    ['an event of 1970', -now],
    ['an event 2 hours ahead', 2 * HOUR],
    ['an event that has no time', Number.NaN],
  ])('gives the current time to %s, so that it is not lost', (_, offset) => {
    const event = { ...exampleEvent(1), timestampMs: now + offset };
    expect(encodeLogRecord(event, now).timestamp).toBe(now);
  });

  it('gives whole milliseconds within the vendor’s window, and counts exactly what was claimed, whatever the event', () => {
    fc.assert(
      fc.property(fc.double(), fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }), (timestampMs, json) => {
        const event = { ...exampleEvent(1), timestampMs, json };
        const record = encodeLogRecord(event, now);
        expect(Number.isSafeInteger(record.timestamp)).toBe(true);
        expect(record.timestamp).toBeGreaterThan(now - 14 * 24 * HOUR);
        expect(record.timestamp).toBeLessThan(now + 2 * HOUR);
        expect(record.callBytes).toBe(claimedBytes(event, logGroupLimits));
      }),
    );
  });
});
