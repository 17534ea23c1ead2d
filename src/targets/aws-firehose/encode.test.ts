import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimedBytes, exampleEvent } from '../conformance/events.js';
import { deliveryStreamLimits, encodeDeliveryStreamRecord } from './encode.js';

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
