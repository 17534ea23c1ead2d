import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleEvent } from '../../../test/targets/conformance/events.js';
import { capacityWithin, chunkIntoCalls } from '../chunk.js';
import { dataStreamLimits, encodeDataStreamRecord } from './encode.js';
import { resourcePacking } from './resource-packing.js';

const MAX_PACKED_BYTES = 256 * 1024;

/** Events with these resources and sizes in KiB. */
const eventsOf = (given: readonly (readonly [resource: number, kib: number])[]) =>
  given.map(([resource, kib], index) =>
    encodeDataStreamRecord(exampleEvent(index + 1, { resource, bytes: kib * 1024 })),
  );
const recordsOf = (events: ReturnType<typeof eventsOf>) =>
  resourcePacking
    .group(events)
    .map((group) => ({ group, record: group.length > 1 ? resourcePacking.join(group) : group[0] }));

describe('the packing of a data stream', () => {
  it('puts each event into one record of its own resource, in order and within the limits', () => {
    const event = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 300 }));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (given) => {
        const events = eventsOf(given);
        const records = recordsOf(events);
        const packed = records.flatMap(({ group }) => group);
        expect(packed).toHaveLength(events.length);
        for (const key of new Set(events.map(({ partitionKey }) => partitionKey))) {
          const ofKey = ({ partitionKey }: { readonly partitionKey: string }) => partitionKey === key;
          expect(packed.filter(ofKey)).toEqual(events.filter(ofKey));
        }
        for (const { group, record } of records) {
          expect(new Set(group.map(({ partitionKey }) => partitionKey))).toEqual(new Set([record?.partitionKey]));
          const bytes = (record?.data.length ?? 0) + Buffer.byteLength(record?.partitionKey ?? '');
          expect(record?.recordBytes).toBe(bytes);
          if (group.length > 1) expect(bytes).toBeLessThanOrEqual(MAX_PACKED_BYTES);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the order of the destination from call to call', () => {
    const event = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 250 }));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120 }), (given) => {
        const events = eventsOf(given);
        const calls = chunkIntoCalls(recordsOf(events), () =>
          capacityWithin(
            { records: dataStreamLimits.records, bytes: dataStreamLimits.batchBytes },
            ({ record }: ReturnType<typeof recordsOf>[number]) => ({
              bytes: record?.callBytes ?? 0,
              orderingKeys: record?.orderingKeys ?? [],
            }),
          ),
        );
        const positions = calls.map((call) =>
          call.flatMap(({ group }) => group.map((member) => events.indexOf(member))).toSorted((a, b) => a - b),
        );
        expect(positions.flat()).toEqual(events.map((_, index) => index));
      }),
      { numRuns: 60 },
    );
  });

  it('sends resources that change in turn in one call, with a record for each', () => {
    const events = eventsOf(Array.from({ length: 500 }, (_, index) => [index % 250, 1] as const));
    expect(resourcePacking.group(events).map((group) => group.length)).toEqual(Array(250).fill(2));
  });

  it('does not aggregate an event that is alone', () => {
    const [event] = eventsOf([[1, 1]]);
    expect(resourcePacking.group(event ? [event] : [])).toEqual([[event]]);
  });
});
