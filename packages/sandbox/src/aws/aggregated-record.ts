import { createHash } from 'node:crypto';

/** Base64 of the first three bytes of the magic number, and of six bits of the fourth. */
export const AGGREGATED_START = '84maw';

const MAGIC = Buffer.from('f3899ac2', 'hex');
const MD5_BYTES = 16;

/** A record within an aggregated one. */
export interface UserRecord {
  readonly partitionKey: string;
  readonly data: Buffer;
}

/** A field of a protobuf message: a number, or bytes. */
interface Field {
  readonly number: number;
  readonly value: number | Buffer;
}

/**
 * Reads a record in the aggregation format of the Kinesis Producer Library, as its consumers do.
 * https://github.com/awslabs/amazon-kinesis-producer/blob/master/aggregation-format.md
 * @returns null for any other record, also one with a wrong checksum
 */
export function deaggregate(record: Buffer): readonly UserRecord[] | null {
  if (record.length < MAGIC.length + MD5_BYTES || !record.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  const message = record.subarray(MAGIC.length, -MD5_BYTES);
  if (!createHash('md5').update(message).digest().equals(record.subarray(-MD5_BYTES))) return null;
  const keys: string[] = [];
  const records: UserRecord[] = [];
  for (const { number, value } of fieldsOf(message)) {
    if (number === 1 && typeof value !== 'number') keys.push(value.toString('utf8'));
    if (number === 3 && typeof value !== 'number') records.push(userRecord(value, keys));
  }
  return records;
}

function userRecord(message: Buffer, keys: readonly string[]): UserRecord {
  let key = -1;
  let data: Buffer | undefined;
  for (const { number, value } of fieldsOf(message)) {
    if (number === 1 && typeof value === 'number') key = value;
    if (number === 3 && typeof value !== 'number') data = value;
  }
  const partitionKey = keys[key];
  if (partitionKey === undefined || data === undefined) throw new Error('A required field of a record is missing.');
  return { partitionKey, data };
}

/** Yields the fields of a protobuf message. https://protobuf.dev/programming-guides/encoding */
function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message.readUInt8(at);
      at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const number = tag >>> 3;
    if ((tag & 7) === 0) yield { number, value: varint() };
    else if ((tag & 7) === 2) {
      const length = varint();
      if (at + length > message.length) throw new RangeError('A field ends after its message.');
      yield { number, value: message.subarray(at, at + length) };
      at += length;
    } else throw new Error('The format has no fields of this type.');
  }
}
