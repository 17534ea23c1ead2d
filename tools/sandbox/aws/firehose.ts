import type { Answer, Call, Exchange, Protocol, Refusal } from '../exchange.js';
import { isObject, unreachable } from '../exchange.js';
import type { Arrival, ReceivedLog } from '../received-log.js';
import { SANDBOX_ACCOUNT_ID, type AccessKeys } from './credentials.js';
import {
  accessDenied,
  admit,
  amzError,
  amzJson,
  amzText,
  carriesData,
  constraint,
  expiredToken,
  malformedRecord,
  readJsonRequest,
  type JsonRequest,
} from './json-protocol.js';
import type { Signer } from './signature.js';

// https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html
const MOST_RECORDS = 500;
const MOST_RECORD_BYTES = 1_000 * 1_024;
/** 4 MiB for the entire request: the sandbox counts the data as it is sent, in base64, which is the stricter reading. */
const MOST_CALL_BYTES = 4 * 1_024 * 1_024;
const namePattern = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Amazon Data Firehose: PutRecordBatch and DescribeDeliveryStream. Its addresses are the names of delivery streams. */
export function firehose(keys: AccessKeys, log: ReceivedLog): Protocol {
  return (exchange) => {
    const request = readJsonRequest(exchange, 'Firehose_20150804');
    if (request === undefined) return undefined;
    const name =
      typeof request.input['DeliveryStreamName'] === 'string' ? request.input['DeliveryStreamName'] : '';
    return {
      service: 'delivery_stream',
      operation: request.operation,
      address: name,
      partial: request.operation === 'PutRecordBatch',
      carries: (text) => carriesData(request, text),
      perform: (fails) => perform(exchange, request, name, keys, log, fails),
      refuse: (refusal) => refuse(refusal, request.operation, name),
    } satisfies Call;
  };
}

function perform(
  exchange: Exchange,
  request: JsonRequest,
  name: string,
  keys: AccessKeys,
  log: ReceivedLog,
  fails: () => boolean,
): Answer {
  const admitted = admit(exchange, request, 'firehose', keys);
  if ('refusal' in admitted) return admitted.refusal;
  if (!namePattern.test(name)) {
    return constraint(
      name,
      'deliveryStreamName',
      'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+',
    );
  }
  if (name.startsWith('missing')) return notFound(name);
  switch (request.operation) {
    case 'PutRecordBatch':
      return putRecordBatch(request, name, log, fails);
    case 'DescribeDeliveryStream':
      return describeDeliveryStream(name, admitted.signer);
    default:
      return amzError(400, 'UnknownOperationException', `Unknown operation: ${request.operation}`);
  }
}

function putRecordBatch(request: JsonRequest, name: string, log: ReceivedLog, fails: () => boolean): Answer {
  const records = request.input['Records'];
  if (!Array.isArray(records) || records.length === 0) {
    return constraint('[]', 'records', 'Member must have length greater than or equal to 1');
  }
  if (records.length > MOST_RECORDS) {
    return constraint('[...]', 'records', `Member must have length less than or equal to ${MOST_RECORDS}`);
  }
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
  const arrivals: Arrival[] = [];
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
    arrivals.push({ body: data });
  }
  if (bytes > MOST_CALL_BYTES) return tooLarge();
  let failed = 0;
  const accepted: Arrival[] = [];
  const responses = arrivals.map((arrival) => {
    if (fails()) {
      failed += 1;
      return '{"ErrorCode":"ServiceUnavailableException","ErrorMessage":"Slow down."}';
    }
    accepted.push(arrival);
    return `{"RecordId":"${recordId()}"}`;
  });
  log.append('delivery_stream', name, 'base64', accepted);
  return amzText(
    200,
    `{"Encrypted":false,"FailedPutCount":${failed},"RequestResponses":[${responses.join(',')}]}`,
  );
}

function describeDeliveryStream(name: string, signer: Signer): Answer {
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

function refuse(refusal: Refusal, operation: string, name: string): Answer {
  switch (refusal) {
    case 'throttle':
      return operation === 'PutRecordBatch'
        ? amzError(503, 'ServiceUnavailableException', 'Slow down.')
        : amzError(400, 'ThrottlingException', 'Rate exceeded');
    case 'deny':
      return accessDenied(`arn:aws:iam::${SANDBOX_ACCOUNT_ID}:user/scripted`, 'firehose', operation);
    case 'not_found':
      return notFound(name);
    case 'too_large':
      return tooLarge();
    case 'malformed':
      return malformedRecord();
    case 'expired':
      return expiredToken();
    case 'failure':
      return amzError(
        500,
        'InternalFailure',
        'The request processing has failed because of an unknown error, exception or failure.',
      );
    default:
      return unreachable(refusal);
  }
}

function notFound(name: string): Answer {
  return amzError(
    400,
    'ResourceNotFoundException',
    `Firehose ${name} under account ${SANDBOX_ACCOUNT_ID} not found.`,
  );
}

function tooLarge(): Answer {
  return amzError(400, 'InvalidArgumentException', 'Records size exceeds 4 MB limit');
}

let records = 0;
const recordIdTail = 'x'.repeat(200);

/** Opaque and long, as theirs are. */
function recordId(): string {
  records += 1;
  return `${records.toString(36).padStart(12, '0')}${recordIdTail}`;
}
