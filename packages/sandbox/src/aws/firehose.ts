import { isObject, type HttpResponse, type Protocol } from '../protocol.js';
import type { Arrival, ReceivedLog } from '../received-log.js';
import { SANDBOX_ACCOUNT_ID, type AccessKeys } from './credentials.js';
import {
  amzError,
  amzJson,
  amzText,
  carriesData,
  constraint,
  internalFailure,
  jsonProtocol,
  malformedRecord,
  recordsOf,
  type JsonCall,
} from './json-protocol.js';

// https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html
const MOST_RECORDS = 500;
const MOST_RECORD_BYTES = 1_000 * 1_024;
/** 4 MiB for the request. The sandbox counts the data in base64, the stricter reading. */
const MOST_CALL_BYTES = 4 * 1_024 * 1_024;
const namePattern = /^[a-zA-Z0-9_.-]{1,64}$/;
const NEWLINE = 0x0a;

/** Amazon Data Firehose: PutRecordBatch and DescribeDeliveryStream. Its addresses are the names of delivery streams. */
export function firehose(keys: AccessKeys, log: ReceivedLog): Protocol {
  return jsonProtocol(
    {
      service: 'delivery_stream',
      prefix: 'Firehose_20150804',
      name: 'firehose',
      partial: 'PutRecordBatch',
      addressOf: ({ DeliveryStreamName: name }) => (typeof name === 'string' ? name : ''),
      carries: carriesData,
      addressError,
      operations: new Map([
        ['PutRecordBatch', (call) => putRecordBatch(call, log)],
        ['DescribeDeliveryStream', describeDeliveryStream],
      ]),
      errors: (name, operation) => ({
        throttle: () =>
          operation === 'PutRecordBatch'
            ? amzError(503, 'ServiceUnavailableException', 'Slow down.')
            : amzError(400, 'ThrottlingException', 'Rate exceeded'),
        not_found: () => notFound(name),
        too_large: tooLarge,
        malformed: malformedRecord,
        failure: internalFailure,
      }),
    },
    keys,
  );
}

function addressError({ address: name }: JsonCall): HttpResponse | undefined {
  if (!namePattern.test(name)) {
    return constraint(name, 'deliveryStreamName', 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+');
  }
  return name.startsWith('missing') ? notFound(name) : undefined;
}

function putRecordBatch({ input, address: name, fails }: JsonCall, log: ReceivedLog): HttpResponse {
  const records = recordsOf(input, MOST_RECORDS);
  if ('status' in records) return records;
  if (name.startsWith('fed')) {
    return amzError(
      400,
      'InvalidArgumentException',
      'This operation is not permitted on KinesisStreamAsSource delivery stream type.',
    );
  }
  if (name.startsWith('decompressing')) {
    return amzError(
      400,
      'InvalidSourceException',
      'Only requests from CloudWatch Logs are supported when CloudWatch Logs decompression is enabled.',
    );
  }
  const arrivals: string[] = [];
  let bytes = 0;
  for (const [index, record] of records.entries()) {
    const data: unknown = isObject(record) ? record['Data'] : undefined;
    if (typeof data !== 'string')
      return constraint('null', `records.${index + 1}.member.data`, 'Member must not be null');
    bytes += data.length;
    if (Buffer.byteLength(data, 'base64') > MOST_RECORD_BYTES) {
      return constraint(
        'java.nio.HeapByteBuffer',
        `records.${index + 1}.member.data`,
        `Member must have length less than or equal to ${MOST_RECORD_BYTES}`,
      );
    }
    arrivals.push(data);
  }
  if (bytes > MOST_CALL_BYTES) return tooLarge();
  let failed = 0;
  const accepted: string[] = [];
  const responses = arrivals.map((arrival) => {
    if (fails()) {
      failed += 1;
      return '{"ErrorCode":"ServiceUnavailableException","ErrorMessage":"Slow down."}';
    }
    accepted.push(arrival);
    return `{"RecordId":"${recordId()}"}`;
  });
  log.append('delivery_stream', name, 'base64', accepted.flatMap(linesOf));
  return amzText(200, `{"Encrypted":false,"FailedPutCount":${failed},"RequestResponses":[${responses.join(',')}]}`);
}

/** Returns the lines of a record as an object in S3 holds them: one, or several of a packed record. */
function linesOf(data: string): readonly Arrival[] {
  const bytes = Buffer.from(data, 'base64');
  let end = bytes.indexOf(NEWLINE);
  if (end === -1 || end === bytes.length - 1) return [{ body: data }];
  const lines: Arrival[] = [];
  for (let start = 0; start < bytes.length; end = bytes.indexOf(NEWLINE, start)) {
    const next = end === -1 ? bytes.length : end + 1;
    lines.push({ body: bytes.toString('base64', start, next) });
    start = next;
  }
  return lines;
}

function describeDeliveryStream({ address: name, signer }: JsonCall): HttpResponse {
  return amzJson(200, {
    DeliveryStreamDescription: {
      DeliveryStreamName: name,
      DeliveryStreamARN: `arn:aws:firehose:${signer.region}:${SANDBOX_ACCOUNT_ID}:deliverystream/${name}`,
      DeliveryStreamStatus: 'ACTIVE',
      DeliveryStreamType: name.startsWith('fed') ? 'KinesisStreamAsSource' : 'DirectPut',
      VersionId: '1',
      Destinations: [],
      HasMoreDestinations: false,
    },
  });
}

function notFound(name: string): HttpResponse {
  return amzError(400, 'ResourceNotFoundException', `Firehose ${name} under account ${SANDBOX_ACCOUNT_ID} not found.`);
}

function tooLarge(): HttpResponse {
  return amzError(400, 'InvalidArgumentException', 'Records size exceeds 4 MB limit');
}

let records = 0;
const recordIdTail = 'x'.repeat(200);

/** Returns an opaque, long id, like those of Firehose. */
function recordId(): string {
  records += 1;
  return `${records.toString(36).padStart(12, '0')}${recordIdTail}`;
}
