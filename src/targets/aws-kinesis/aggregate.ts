import { createHash } from 'node:crypto';

/**
 * The aggregation format of the Kinesis Producer Library, written by hand: two messages with five fields, frozen since
 * 2014. https://github.com/awslabs/amazon-kinesis-producer/blob/master/aggregation-format.md
 *
 * ```
 * magic number | AggregatedRecord (protobuf) | MD5 of the protobuf
 * message AggregatedRecord { repeated string partition_key_table = 1; repeated Record records = 3; }
 * message Record { required uint64 partition_key_index = 1; required bytes data = 3; }
 * ```
 */
const MAGIC = Buffer.from([0xf3, 0x89, 0x9a, 0xc2]);
const MD5_BYTES = 16;

/** `field << 3 | 2`: a length and so many bytes follow. https://protobuf.dev/programming-guides/encoding/#structure */
const PARTITION_KEY_TABLE = (1 << 3) | 2;
const RECORDS = (3 << 3) | 2;
const DATA = (3 << 3) | 2;
/** `partition_key_index = 0` (a varint, `field << 3 | 0`): the first key of the table, the only one here. */
const FIRST_PARTITION_KEY = [(1 << 3) | 0, 0] as const;

/** Returns the bytes of an aggregated record without its events. */
export function emptyAggregateBytes(partitionKey: string): number {
  return MAGIC.length + fieldBytes(Buffer.byteLength(partitionKey)) + MD5_BYTES;
}

/** Returns the bytes that an event of so many bytes adds to an aggregated record. */
export function aggregatedEventBytes(dataBytes: number): number {
  return fieldBytes(recordMessageBytes(dataBytes));
}

/** Returns the data of one Kinesis record that holds these data as records with this partition key, in order. */
export function aggregate(partitionKey: string, data: readonly Uint8Array[]): Uint8Array {
  const bytes = data.reduce((sum, { length }) => sum + aggregatedEventBytes(length), emptyAggregateBytes(partitionKey));
  const buffer = Buffer.allocUnsafe(bytes);
  const end = bytes - MD5_BYTES;
  let at = MAGIC.copy(buffer);
  at = writeField(buffer, at, PARTITION_KEY_TABLE, Buffer.byteLength(partitionKey));
  at += buffer.write(partitionKey, at, 'utf8');
  for (const event of data) {
    at = writeField(buffer, at, RECORDS, recordMessageBytes(event.length));
    for (const byte of FIRST_PARTITION_KEY) at = buffer.writeUInt8(byte, at);
    at = writeField(buffer, at, DATA, event.length);
    buffer.set(event, at);
    at += event.length;
  }
  createHash('md5').update(buffer.subarray(MAGIC.length, end)).digest().copy(buffer, end);
  return buffer;
}

function recordMessageBytes(dataBytes: number): number {
  return FIRST_PARTITION_KEY.length + fieldBytes(dataBytes);
}

/** Bytes of a field: its tag, its length, and its value. */
function fieldBytes(valueBytes: number): number {
  return 1 + varintBytes(valueBytes) + valueBytes;
}

/** Writes the tag and the length of a field. Returns the position of its value. */
function writeField(buffer: Buffer, at: number, tag: number, valueBytes: number): number {
  let position = buffer.writeUInt8(tag, at);
  let rest = valueBytes;
  for (; rest > 0x7f; rest >>>= 7) position = buffer.writeUInt8((rest & 0x7f) | 0x80, position);
  return buffer.writeUInt8(rest, position);
}

/** A varint has seven bits in each byte. */
function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest > 0x7f; rest >>>= 7) bytes += 1;
  return bytes;
}
