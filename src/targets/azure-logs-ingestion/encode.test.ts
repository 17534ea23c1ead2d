import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleEvent } from '../conformance/events.js';
import { encodeRow, logIngestionLimits, sizedRow } from './encode.js';

describe('a row', () => {
  it('is the payload and the time of the change', () => {
    const event = exampleEvent(3, { timestampMs: Date.parse('2026-11-21T08:00:00.123Z') });
    const { TimeGenerated, ...payload } = encodeRow(event);
    expect(TimeGenerated).toBe('2026-11-21T08:00:00.123Z');
    expect(payload).toEqual(JSON.parse(event.json));
  });

  it('cannot be made of what is not an object', () => {
    for (const json of ['[]', 'null', '1', '"x"']) {
      expect(() => encodeRow({ ...exampleEvent(1), json })).toThrow(TypeError);
    }
  });
});

describe('the limits', () => {
  it('are an upper bound of the encoded size of every batch', () => {
    const payload = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(payload, { minLength: 1, maxLength: 5 }), (payloads) => {
        const events = payloads.map((value, index) => ({
          ...exampleEvent(index + 1),
          json: JSON.stringify(value),
        }));
        const written = Buffer.byteLength(JSON.stringify(events.map((event) => encodeRow(event))));
        const counted = events.reduce(
          (sum, { json }) =>
            sum + Math.ceil(Buffer.byteLength(json) * logIngestionLimits.expansion) + logIngestionLimits.overheadBytes,
          0,
        );
        expect(written).toBeLessThanOrEqual(counted);
        expect(events.reduce((sum, event) => sum + sizedRow(event).bytes, 0)).toBe(counted);
      }),
      { numRuns: 300 },
    );
  });

  it('keep the rows of a call below what makes the client cut it in two', () => {
    // The client cuts where the rows, without commas and brackets, reach 1,000,000 bytes; the overhead counts both.
    const one = sizedRow(exampleEvent(1, { bytes: 50_000 }));
    expect(one.bytes).toBeGreaterThan(Buffer.byteLength(JSON.stringify(one.row)));
    expect(logIngestionLimits.batchBytes).toBeLessThanOrEqual(1_000_000);
  });
});
