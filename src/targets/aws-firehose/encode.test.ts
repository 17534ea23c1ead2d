import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimedBytes, exampleEvent } from '../../../test/targets/conformance/events.js';
import { deliveryStreamLimits, encodeDeliveryStreamRecord, linePacking } from './encode.js';

describe('the encoding for a delivery stream', () => {
  it('ends each record with a newline, for the vendor joins them without one', () => {
    const event = exampleEvent(1, { text: 'ü漢👩' });
    const { data, recordBytes } = encodeDeliveryStreamRecord(event);
    expect(Buffer.from(data).toString('utf8')).toBe(`${event.json}\n`);
    expect(recordBytes).toBe(data.length);
  });

  it('never counts more for a record than it was claimed with, whatever the payload', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (json) => {
        const event = { ...exampleEvent(1), json };
        expect(encodeDeliveryStreamRecord(event).callBytes).toBeLessThanOrEqual(
          claimedBytes(event, deliveryStreamLimits),
        );
      }),
    );
  });

  it('makes a request body within the vendor’s 4 MiB of every batch that may be claimed', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 65_536 }), { minLength: 1, maxLength: 500 });
    fc.assert(
      fc.property(sizes, (given) => {
        let claimed = 0;
        const records: { Data: string }[] = [];
        for (const size of given) {
          const event = { ...exampleEvent(1), json: 'x'.repeat(size) };
          claimed += claimedBytes(event, deliveryStreamLimits);
          if (claimed > deliveryStreamLimits.batchBytes) break;
          records.push({ Data: Buffer.from(encodeDeliveryStreamRecord(event).data).toString('base64') });
        }
        const body = JSON.stringify({ DeliveryStreamName: 'n'.repeat(64), Records: records });
        expect(body.length).toBeLessThanOrEqual(4 * 1024 * 1024);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the packing of a delivery stream', () => {
  const join = (group: readonly ReturnType<typeof encodeDeliveryStreamRecord>[]) =>
    group.length > 1 ? linePacking.join(group) : group[0];

  it('keeps every event as one line, in order, in records within the limits', () => {
    const event = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 700 }), fc.string());
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 40 }), (given) => {
        const events = given.map(([resource, kib, text], index) =>
          exampleEvent(index + 1, { resource, bytes: kib * 1024, text }),
        );
        const groups = linePacking.group(events.map(encodeDeliveryStreamRecord));
        const records = groups.map(join);
        const lines = Buffer.concat(records.map((record) => record?.data ?? Buffer.of())).toString('utf8');
        expect(lines).toBe(events.map(({ json }) => `${json}\n`).join(''));
        for (const [index, record] of records.entries()) {
          expect(record?.recordBytes).toBe(record?.data.length);
          expect(record?.callBytes).toBe(Buffer.from(record?.data ?? []).toString('base64').length + 12);
          expect(new Set(record?.orderingKeys)).toEqual(
            new Set(groups[index]?.flatMap(({ orderingKeys }) => orderingKeys)),
          );
          if ((groups[index]?.length ?? 0) > 1) expect(record?.recordBytes).toBeLessThanOrEqual(512_000);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('packs at most 500 events, which is what Firehose separates', () => {
    const events = Array.from({ length: 1001 }, (_, index) => encodeDeliveryStreamRecord(exampleEvent(index + 1)));
    expect(linePacking.group(events).map((group) => group.length)).toEqual([500, 500, 1]);
  });
});
