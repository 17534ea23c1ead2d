import type { CallLimits, EncodedRecord } from '../aws/batch-sender.js';
import type { BatchLimits, DeliverableEvent } from '../target.js';

/**
 * https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecords.html: 500 records a call. Data and partition keys count:
 * 5 MiB a call and 1 MiB a record for every stream (more is an option of single streams).
 */
const MAX_RECORDS = 500;
const MAX_CALL_BYTES = 5 * 1024 * 1024;
const MAX_RECORD_BYTES = 1024 * 1024;

/** https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecordsRequestEntry.html: 1 to 256 characters. */
const MAX_KEY_BYTES = 256;

/** What one call may carry. */
export const dataStreamCallLimits: CallLimits = {
  records: MAX_RECORDS,
  callBytes: MAX_CALL_BYTES,
  recordBytes: MAX_RECORD_BYTES,
};

/** What is claimed: each record's partition key is counted as if it were the longest. */
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
 * One event as one record. Events of one resource share a partition key, and with it a shard; never a call, for the vendor
 * promises no order within one.
 */
export function encodeDataStreamRecord(event: DeliverableEvent): DataStreamRecord {
  const data = Buffer.from(event.json, 'utf8');
  const partitionKey = keyOf(event.resourceId || event.id);
  const bytes = data.length + Buffer.byteLength(partitionKey);
  return { data, partitionKey, recordBytes: bytes, callBytes: bytes, orderingKey: partitionKey };
}

/** Our ids are ASCII and short; whatever comes is cut to what the vendor takes. */
function keyOf(id: string): string {
  if (Buffer.byteLength(id) <= MAX_KEY_BYTES) return id;
  // A character that is cut in its middle becomes U+FFFD, which may be longer than what was left of it.
  return Buffer.from(id)
    .subarray(0, MAX_KEY_BYTES)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
}
