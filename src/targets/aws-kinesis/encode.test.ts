import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimedBytes, exampleEvent } from '../../../test/targets/conformance/events.js';
import { dataStreamLimits, encodeDataStreamRecord } from './encode.js';

describe('the encoding for a data stream', () => {
  it('takes the id of the resource that changed as the partition key', () => {
    const event = { ...exampleEvent(1), resourceId: 'ipp_01jb' };
    expect(encodeDataStreamRecord(event).partitionKey).toBe('ipp_01jb');
  });

  it('always has a partition key of 1 to 256 characters, and never counts more than was claimed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.string({ unit: 'binary', maxLength: 300 }),
        (resourceId, json) => {
          const event = { ...exampleEvent(1), resourceId, json };
          const record = encodeDataStreamRecord(event);
          expect(record.partitionKey.length).toBeGreaterThanOrEqual(1);
          expect(record.partitionKey.length).toBeLessThanOrEqual(256);
          expect(Buffer.from(record.data).equals(Buffer.from(json))).toBe(true);
          expect(record.callBytes).toBe(record.data.length + Buffer.byteLength(record.partitionKey));
          expect(record.callBytes).toBeLessThanOrEqual(claimedBytes(event, dataStreamLimits));
        },
      ),
    );
  });
});
