import { deaggregate } from '@waybill/sandbox';
import { deaggregateSync, type UserRecord } from 'aws-kinesis-agg';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregate, aggregatedEventBytes, emptyAggregateBytes } from './aggregate.js';

const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const data = fc.uint8Array({ maxLength: 300 });

/** Reads a record with the public module of AWS, and verifies its checksum. */
function readByVendor(record: Uint8Array): readonly UserRecord[] {
  const payload = {
    data: Buffer.from(record).toString('base64'),
    partitionKey: 'outer',
    sequenceNumber: '49',
    kinesisSchemaVersion: '1.0',
    approximateArrivalTimestamp: 0,
  };
  let read: readonly UserRecord[] = [];
  deaggregateSync(payload, true, (error, records = []) => {
    // Null without an error, whatever its type says.
    if (error) throw error;
    read = records;
  });
  return read;
}

describe('the aggregation format', () => {
  it('is read by the module of AWS and by the sandbox: the same events, in order, with their partition key', () => {
    fc.assert(
      fc.property(key, fc.array(data, { minLength: 1, maxLength: 30 }), (partitionKey, events) => {
        const record = aggregate(partitionKey, events);
        expect(readByVendor(record).map((read) => [read.partitionKey, read.data])).toEqual(
          events.map((event) => [partitionKey, Buffer.from(event).toString('base64')]),
        );
        expect(deaggregate(Buffer.from(record))).toEqual(
          events.map((event) => ({ partitionKey, data: Buffer.from(event) })),
        );
      }),
    );
  });

  it('is read where lengths need one, two, three and four bytes', () => {
    const events = [127, 128, 16_383, 16_384, 2_097_151, 2_097_152].map((length) => Buffer.alloc(length, 'x'));
    const read = readByVendor(aggregate('k'.repeat(256), events)).map((each) => Buffer.from(each.data, 'base64'));
    expect(read.map(({ length }) => length)).toEqual(events.map(({ length }) => length));
    // Not `toEqual`, which visits each byte as a member.
    expect(read.every((event, index) => events[index]?.equals(event))).toBe(true);
  });

  it('has exactly the bytes that were counted for it', () => {
    fc.assert(
      fc.property(key, fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 8 }), (partitionKey, lengths) => {
        const counted = lengths.reduce(
          (sum, length) => sum + aggregatedEventBytes(length),
          emptyAggregateBytes(partitionKey),
        );
        const record = aggregate(
          partitionKey,
          lengths.map((length) => Buffer.alloc(length)),
        );
        expect(record.length).toBe(counted);
      }),
    );
  });
});
