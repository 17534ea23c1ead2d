import { md5 } from '@noble/hashes/legacy.js';
import { fromBase64 } from '../log/base64.js';
import { LineError } from './line-error.js';

/** First bytes of an aggregated record. */
const MAGIC = [0xf3, 0x89, 0x9a, 0xc2];

/** Bytes of the MD5 at the end of an aggregated record. Browsers have no MD5 of their own. */
const CHECKSUM_BYTES = 16;

/** Number of the records in an aggregated one, and of the data in a record. */
const DATA_FIELD = 3;

/**
 * Returns the texts in the `Data` of a record of Kinesis: several where the producer has aggregated them.
 * https://github.com/awslabs/amazon-kinesis-producer/blob/master/aggregation-format.md
 * @param data base64
 * @throws LineError for a record that cannot be read, or whose checksum is another one
 */
export function textsOfRecord(data: string): readonly string[] {
  try {
    const record = fromBase64(data);
    if (record === null) throw new Error('It is not base64.');
    return partsOf(record).map((bytes) => new TextDecoder().decode(bytes));
  } catch (error) {
    throw new LineError('holds a broken record of Kinesis', { cause: error });
  }
}

function partsOf(record: Uint8Array): readonly Uint8Array[] {
  const isAggregated = record.length >= MAGIC.length + CHECKSUM_BYTES && MAGIC.every((byte, at) => record[at] === byte);
  if (!isAggregated) return [record];
  const message = record.subarray(MAGIC.length, -CHECKSUM_BYTES);
  const checksum = record.subarray(-CHECKSUM_BYTES);
  if (!md5(message).every((byte, at) => byte === checksum[at])) throw new Error('The checksum is another one.');
  return fieldsOf(message).flatMap((inner) => fieldsOf(inner));
}

/** Returns the data fields of a protobuf message. https://protobuf.dev/programming-guides/encoding */
function fieldsOf(message: Uint8Array): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at];
      if (byte === undefined) throw new RangeError('A number ends after its message.');
      at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const length = varint();
    // The one other type of the format is a number, which is read.
    if ((tag & 7) === 0) continue;
    if ((tag & 7) !== 2) throw new Error('The format has no fields of this type.');
    if (at + length > message.length) throw new RangeError('A field ends after its message.');
    if (tag >>> 3 === DATA_FIELD) found.push(message.subarray(at, at + length));
    at += length;
  }
  return found;
}
