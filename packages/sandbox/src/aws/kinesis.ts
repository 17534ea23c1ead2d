import { isObject, type HttpResponse, type Protocol } from '../protocol.js';
import type { Arrival, ReceivedLog } from '../received-log.js';
import { AGGREGATED_START, deaggregate } from './aggregated-record.js';
import { SANDBOX_ACCOUNT_ID, type AccessKeys } from './credentials.js';
import {
  amzError,
  amzText,
  carriesData,
  constraint,
  internalFailure,
  jsonProtocol,
  malformedRecord,
  recordsOf,
  type JsonCall,
} from './json-protocol.js';

// https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecords.html; larger records are an option of each
// stream.
const MOST_RECORDS = 500;
const MOST_RECORD_BYTES = 1_024 * 1_024;
const MOST_CALL_BYTES = 5 * 1_024 * 1_024;
const MOST_KEY_CHARACTERS = 256;
const arnPattern = /^arn:aws[a-z-]*:kinesis:([a-z0-9-]+):\d{12}:stream\/[a-zA-Z0-9_.-]{1,128}$/;
const SHARD_ID = 'shardId-000000000000';

/** Kinesis Data Streams: PutRecord and PutRecords. Its addresses are the ARNs of data streams. */
export function kinesis(keys: AccessKeys, log: ReceivedLog): Protocol {
  return jsonProtocol(
    {
      service: 'data_stream',
      prefix: 'Kinesis_20131202',
      name: 'kinesis',
      partial: 'PutRecords',
      addressOf: ({ StreamARN: arn, StreamName: name }) =>
        typeof arn === 'string' ? arn : typeof name === 'string' ? name : '',
      carries: carriesData,
      addressError,
      operations: new Map([
        ['PutRecord', (call) => putRecord(call, log)],
        ['PutRecords', (call) => putRecords(call, log)],
      ]),
      errors: (address) => ({
        throttle: () =>
          amzError(
            400,
            'ProvisionedThroughputExceededException',
            `Rate exceeded for stream ${address} under account ${SANDBOX_ACCOUNT_ID}.`,
          ),
        not_found: () => notFound(address),
        too_large: tooLarge,
        malformed: malformedRecord,
        failure: internalFailure,
      }),
    },
    keys,
  );
}

/** Returns the error for a stream that does not exist, or not in the region of the request. */
function addressError({ address, signer }: JsonCall): HttpResponse | undefined {
  if (address === '')
    return amzError(400, 'InvalidArgumentException', 'Either StreamARN or StreamName must be provided.');
  if (!address.startsWith('arn:')) return address.startsWith('missing') ? notFound(address) : undefined;
  const match = arnPattern.exec(address);
  if (match === null) {
    return constraint(
      address,
      'streamARN',
      'Member must satisfy regular expression pattern: arn:aws.*:kinesis:.*:\\d{12}:stream/\\S+',
    );
  }
  return match[1] !== signer.region || address.includes(':stream/missing') ? notFound(address) : undefined;
}

/** One record; its members are those of the input. */
function putRecord({ input, address }: JsonCall, log: ReceivedLog): HttpResponse {
  const arrival = readRecord(input, 0);
  if ('status' in arrival) return arrival;
  log.append('data_stream', address, 'base64', userRecords(arrival));
  return amzText(200, `{"EncryptionType":"NONE","SequenceNumber":"${sequenceNumber()}","ShardId":"${SHARD_ID}"}`);
}

function putRecords({ input, address, fails }: JsonCall, log: ReceivedLog): HttpResponse {
  const records = recordsOf(input, MOST_RECORDS);
  if ('status' in records) return records;
  const arrivals: Arrival[] = [];
  let bytes = 0;
  for (const [index, record] of records.entries()) {
    const arrival = readRecord(record, index);
    if ('status' in arrival) return arrival;
    bytes += recordBytes(arrival);
    arrivals.push(arrival);
  }
  if (bytes > MOST_CALL_BYTES) return tooLarge();
  let failed = 0;
  const accepted: Arrival[] = [];
  const results = arrivals.map((arrival) => {
    if (fails()) {
      failed += 1;
      const stream = address.slice(address.lastIndexOf('/') + 1);
      const message = `Rate exceeded for shard ${SHARD_ID} in stream ${stream} under account ${SANDBOX_ACCOUNT_ID}.`;
      return `{"ErrorCode":"ProvisionedThroughputExceededException","ErrorMessage":"${message}"}`;
    }
    accepted.push(arrival);
    return `{"SequenceNumber":"${sequenceNumber()}","ShardId":"${SHARD_ID}"}`;
  });
  log.append('data_stream', address, 'base64', accepted.flatMap(userRecords));
  return amzText(200, `{"EncryptionType":"NONE","FailedRecordCount":${failed},"Records":[${results.join(',')}]}`);
}

/** Returns the records that a consumer reads from a record: those of an aggregated one, as KCL does, or itself. */
function userRecords(arrival: Arrival): readonly Arrival[] {
  if (!arrival.body.startsWith(AGGREGATED_START)) return [arrival];
  const records = deaggregate(Buffer.from(arrival.body, 'base64'));
  return records?.map(({ partitionKey, data }) => ({ body: data.toString('base64'), partitionKey })) ?? [arrival];
}

/** Parses one record. Returns the error for the whole call if it is invalid. */
function readRecord(record: unknown, index: number): Arrival | HttpResponse {
  const { Data: data, PartitionKey: partitionKey }: Readonly<Record<string, unknown>> = isObject(record) ? record : {};
  const field = `records.${index + 1}.member`;
  if (typeof data !== 'string') return constraint('null', `${field}.data`, 'Member must not be null');
  if (typeof partitionKey !== 'string') return constraint('null', `${field}.partitionKey`, 'Member must not be null');
  if (partitionKey === '')
    return constraint('', `${field}.partitionKey`, 'Member must have length greater than or equal to 1');
  if (partitionKey.length > MOST_KEY_CHARACTERS) {
    return constraint(
      partitionKey,
      `${field}.partitionKey`,
      `Member must have length less than or equal to ${MOST_KEY_CHARACTERS}`,
    );
  }
  const arrival = { body: data, partitionKey };
  if (recordBytes(arrival) > MOST_RECORD_BYTES) {
    return constraint(
      'java.nio.HeapByteBuffer',
      `${field}.data`,
      `Member must have length less than or equal to ${MOST_RECORD_BYTES}`,
    );
  }
  return arrival;
}

function recordBytes(arrival: Arrival): number {
  return Buffer.byteLength(arrival.body, 'base64') + Buffer.byteLength(arrival.partitionKey ?? '');
}

function notFound(address: string): HttpResponse {
  const name = address.slice(address.lastIndexOf('/') + 1);
  return amzError(400, 'ResourceNotFoundException', `Stream ${name} under account ${SANDBOX_ACCOUNT_ID} not found.`);
}

function tooLarge(): HttpResponse {
  return amzError(400, 'InvalidArgumentException', 'Records size exceeds 5 MB limit');
}

let records = 0;

/** Rising numbers of 56 digits. */
function sequenceNumber(): string {
  records += 1;
  return `49${records.toString().padStart(54, '0')}`;
}
