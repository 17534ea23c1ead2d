import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { exampleEvent } from '../../../test/targets/conformance/events.js';
import { encodeRow, logIngestionLimits, sizedRow } from './encode.js';

describe('a row', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is the text of the payload, and the time of the change after it', () => {
    const timestampMs = Date.parse('2026-11-21T08:00:00.123Z');
    const time = '"TimeGenerated":"2026-11-21T08:00:00.123Z"';
    const event = { ...exampleEvent(3, { timestampMs }), json: '{"amount":12345678901234567890,"b":[{}]}' };
    expect(encodeRow(event)).toBe(`{"amount":12345678901234567890,"b":[{}],${time}}`);
    expect(encodeRow({ ...event, json: '{}' })).toBe(`{${time}}`);
  });

  it('is made without parsing the payload, which may take many times its bytes in memory', () => {
    const values = Array.from({ length: 3500 }, (_, index) => [`k${index}`, [{}]]);
    const event = { ...exampleEvent(1), json: JSON.stringify(Object.fromEntries(values)) };
    const parse = vi.spyOn(JSON, 'parse');
    const { row } = sizedRow(event);
    expect(parse).not.toHaveBeenCalled();
    expect(row.startsWith('{"k0":[{}],')).toBe(true);
  });

  it('has the members of any payload', () => {
    const payload = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
    fc.assert(
      fc.property(payload, (value) => {
        const event = { ...exampleEvent(1, { timestampMs: 0 }), json: JSON.stringify(value) };
        const expected: unknown = { ...JSON.parse(event.json), TimeGenerated: '1970-01-01T00:00:00.000Z' };
        expect(JSON.stringify(JSON.parse(encodeRow(event)))).toBe(JSON.stringify(expected));
      }),
    );
  });

  it('cannot be made of what is not an object', () => {
    for (const json of ['[]', 'null', '1', '"x"', '']) {
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
        const written = Buffer.byteLength(`[${events.map((event) => encodeRow(event)).join(',')}]`);
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
});
