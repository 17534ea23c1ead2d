import type { CallLimits, EncodedRecord } from '../aws/batch-sender.js';
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

/** Limits of one call: the whole request body, base64 included, is within the vendor's limit. */
export const deliveryStreamCallLimits: CallLimits = {
  records: MAX_RECORDS,
  callBytes: MAX_CALL_BYTES - ENVELOPE_BYTES,
  recordBytes: MAX_RECORD_BYTES,
};

/**
 * Limits of a batch. Base64 turns 3 bytes into 4 and pads the last group. So n bytes and the delimiter become
 * `4 * ceil((n + 1) / 3)` bytes, at most `4 / 3 * n + 4`.
 */
export const deliveryStreamLimits: BatchLimits = {
  records: MAX_RECORDS,
  batchBytes: deliveryStreamCallLimits.callBytes,
  recordBytes: MAX_RECORD_BYTES,
  overheadBytes: 4 + WRAPPING_BYTES,
  expansion: 4 / 3,
};

export interface DeliveryStreamRecord extends EncodedRecord {
  readonly data: Uint8Array;
}

/** Encodes one event as one record: its JSON and a newline. */
export function encodeDeliveryStreamRecord(event: DeliverableEvent): DeliveryStreamRecord {
  const data = Buffer.from(event.json + DELIMITER, 'utf8');
  const callBytes = Math.ceil(data.length / 3) * 4 + WRAPPING_BYTES;
  return { data, recordBytes: data.length, callBytes, orderingKey: event.resourceId || event.id };
}
