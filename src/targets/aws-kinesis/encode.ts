import type { EncodedRecord } from '../aws/packing.js';
import type { BatchLimits, DeliverableEvent } from '../target.js';

/**
 * https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecords.html: 500 records a call. Data and partition
 * keys count: 5 MiB a call and 1 MiB a record, unless a stream allows more.
 */
const MAX_RECORDS = 500;
const MAX_CALL_BYTES = 5 * 1024 * 1024;
const MAX_RECORD_BYTES = 1024 * 1024;

/** https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecordsRequestEntry.html: 1 to 256 characters. */
const MAX_KEY_BYTES = 256;

/** Each record counts with the longest partition key. */
export const dataStreamLimits: BatchLimits = {
  records: MAX_RECORDS,
  batchBytes: MAX_CALL_BYTES,
  recordBytes: MAX_RECORD_BYTES,
  overheadBytes: MAX_KEY_BYTES,
  expansion: 1,
};

export interface DataStreamRecord extends EncodedRecord {
  readonly data: Uint8Array;
  readonly partitionKey: string;
}

/**
 * Encodes one event as one record. Events of one resource share a partition key, and thus a shard, but never a call:
 * the vendor guarantees no order within a call.
 */
export function encodeDataStreamRecord(event: DeliverableEvent): DataStreamRecord {
  const data = Buffer.from(event.json, 'utf8');
  const partitionKey = keyOf(event.resourceId || event.id);
  return dataStreamRecord(partitionKey, data);
}

/** Returns a record. The vendor counts its data and its partition key. */
export function dataStreamRecord(partitionKey: string, data: Uint8Array): DataStreamRecord {
  const bytes = data.length + Buffer.byteLength(partitionKey);
  return { data, partitionKey, recordBytes: bytes, callBytes: bytes, orderingKeys: [partitionKey] };
}

/** Truncates an id to the longest partition key. Waybill's ids are shorter. */
function keyOf(id: string): string {
  if (Buffer.byteLength(id) <= MAX_KEY_BYTES) return id;
  // A truncated character becomes U+FFFD, which may have more bytes than the rest of it.
  return Buffer.from(id)
    .subarray(0, MAX_KEY_BYTES)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
}
