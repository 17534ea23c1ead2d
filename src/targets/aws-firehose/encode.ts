import type { EncodedRecord, Packing } from '../aws/packing.js';
import type { BatchLimits, DeliverableEvent } from '../target.js';

/**
 * https://docs.aws.amazon.com/firehose/latest/dev/limits.html: 500 records and 4 MiB a call, 1,000 KiB a record before
 * base64.
 */
const MAX_RECORDS = 500;
const MAX_CALL_BYTES = 4 * 1024 * 1024;
const MAX_RECORD_BYTES = 1000 * 1024;

/** `{"DeliveryStreamName":"<64>","Records":[]}`: counted, because the vendor does not document whether it counts. */
const ENVELOPE_BYTES = 128;
/** `{"Data":""},` around the base64 of each record. */
const WRAPPING_BYTES = 12;

/** The vendor joins records without a delimiter. */
const DELIMITER = '\n';

/**
 * The whole request body, base64 included, is within the vendor's limit. Base64 turns 3 bytes into 4 and pads the last
 * group. So n bytes and the delimiter become `4 * ceil((n + 1) / 3)` bytes, at most `4 / 3 * n + 4`.
 */
export const deliveryStreamLimits: BatchLimits = {
  records: MAX_RECORDS,
  batchBytes: MAX_CALL_BYTES - ENVELOPE_BYTES,
  recordBytes: MAX_RECORD_BYTES,
  overheadBytes: 4 + WRAPPING_BYTES,
  expansion: 4 / 3,
};

export interface DeliveryStreamRecord extends EncodedRecord {
  readonly data: Uint8Array;
}

/** Encodes one event as one record: its JSON and a newline. */
export function encodeDeliveryStreamRecord(event: DeliverableEvent): DeliveryStreamRecord {
  return recordOf(Buffer.from(event.json + DELIMITER, 'utf8'), [event.resourceId || event.id]);
}

function recordOf(data: Uint8Array, orderingKeys: readonly string[]): DeliveryStreamRecord {
  const callBytes = Math.ceil(data.length / 3) * 4 + WRAPPING_BYTES;
  return { data, recordBytes: data.length, callBytes, orderingKeys };
}

/**
 * Most events of a packed record: Firehose separates at most 500 where it partitions dynamically.
 * https://docs.aws.amazon.com/firehose/latest/dev/dynamic-partitioning-multirecord-deaggergation.html
 */
const MAX_PACKED_EVENTS = 500;

/**
 * Most bytes of a packed record, before base64: half of what the vendor accepts. A function that transforms records may
 * enlarge them. The vendor bills multiples of 5 KB, which adds one per cent at most.
 */
const MAX_PACKED_BYTES = MAX_RECORD_BYTES / 2;

/** Packs consecutive events: their lines, one after the other. So the order of the destination holds in a record. */
export const linePacking: Packing<DeliveryStreamRecord> = {
  group: (events) => {
    const groups: DeliveryStreamRecord[][] = [];
    let bytes = 0;
    for (const event of events) {
      const group = groups.at(-1);
      bytes += event.recordBytes;
      if (group && group.length < MAX_PACKED_EVENTS && bytes <= MAX_PACKED_BYTES) group.push(event);
      else {
        groups.push([event]);
        bytes = event.recordBytes;
      }
    }
    return groups;
  },
  join: (events) =>
    recordOf(Buffer.concat(events.map(({ data }) => data)), [
      ...new Set(events.flatMap(({ orderingKeys = [] }) => orderingKeys)),
    ]),
};
