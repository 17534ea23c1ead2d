import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleEvent } from '../../../test/targets/conformance/events.js';
import type { MonitoringConfig } from './config.js';
import { MAX_SERVICE_BYTES, MAX_TAGS_BYTES, monitoringConfig } from './config.js';
import { encodeEntry, monitoringLimits, sizedEntry } from './encode.js';
import type { LogEntry } from './encode.js';

const HOUR = 3_600_000;
const now = Date.parse('2026-11-21T08:00:00Z');
const plain = monitoringConfig.parse({});

/** The entries as they stand in the body of the call. */
function body(entries: readonly LogEntry[]): string {
  return JSON.stringify(entries.map(({ additionalProperties, ...entry }) => ({ ...entry, ...additionalProperties })));
}

describe('an entry', () => {
  it('carries the payload as text, our source, the service, the tags and the time', () => {
    const event = exampleEvent(7, { timestampMs: now - 1000 });
    const config: MonitoringConfig = { ...plain, service: 'audit', tags: 'env:prod' };
    expect(encodeEntry(event, config, now)).toEqual({
      message: event.json,
      ddsource: 'waybill',
      service: 'audit',
      ddtags: 'env:prod',
      additionalProperties: { timestamp: now - 1000, status: 'info' },
    });
  });

  it('has a service of its own and no tags where the destination names none', () => {
    const entry = encodeEntry(exampleEvent(1), plain, now);
    expect(entry.service).toBe('waybill');
    expect(entry).not.toHaveProperty('ddtags');
  });

  it('is given the current time outside the window that Datadog takes, rather than lost', () => {
    const timestamp = (ageMs: number) =>
      encodeEntry(exampleEvent(1, { timestampMs: now - ageMs }), plain, now).additionalProperties.timestamp;
    expect(timestamp(17 * HOUR)).toBe(now - 17 * HOUR);
    expect(timestamp(18 * HOUR)).toBe(now);
    expect(timestamp(72 * HOUR)).toBe(now);
    expect(timestamp(-HOUR)).toBe(now + HOUR);
    expect(timestamp(-2 * HOUR)).toBe(now);
  });
});

describe('the limits', () => {
  const fullest: MonitoringConfig = {
    ...plain,
    service: '字'.repeat(MAX_SERVICE_BYTES / 3),
    tags: '"'.repeat(MAX_TAGS_BYTES / 2),
  };

  it('are an upper bound of the encoded size of every batch', () => {
    const payload = fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify({ value })),
      fc.string({ unit: 'binary' }).map((value) => JSON.stringify({ value })),
      fc
        .string({ unit: fc.constantFrom('"', '\\', '\u0000', '\ud800', '字') })
        .map((value) => JSON.stringify({ value })),
    );
    fc.assert(
      fc.property(fc.array(payload, { minLength: 1, maxLength: 5 }), (payloads) => {
        const events = payloads.map((json, index) => ({ ...exampleEvent(index + 1), json }));
        const counted = events.reduce(
          (sum, { json }) =>
            sum + Math.ceil(Buffer.byteLength(json) * monitoringLimits.expansion) + monitoringLimits.overheadBytes,
          0,
        );
        const written = Buffer.byteLength(body(events.map((event) => encodeEntry(event, fullest, now))));
        expect(written).toBeLessThanOrEqual(counted);
        const sized = events.reduce((sum, event) => sum + sizedEntry(event, fullest, now).bytes, 0);
        expect(written).toBeLessThanOrEqual(sized);
      }),
      { numRuns: 300 },
    );
  });

  it('let the largest event of ours through, though every byte of it doubled', () => {
    const { expansion, overheadBytes, recordBytes } = monitoringLimits;
    expect(64 * 1024 * expansion + overheadBytes).toBeLessThan(recordBytes);
  });

  it('measure exactly a record that the bound alone would refuse', () => {
    const event = exampleEvent(1, { bytes: 900_000 });
    const { entry, bytes } = sizedEntry(event, plain, now);
    expect(bytes).toBe(Buffer.byteLength(body([entry])));
    expect(bytes).toBeLessThan(monitoringLimits.recordBytes);
  });
});
