import type { BatchSender } from '../aws/batch-sender.js';
import type { ErrorNames } from '../aws/failure-names.js';
import { messagesFor } from '../aws/outcome.js';
import { recordOutcomes } from '../aws/record-outcome.js';
import { awsTarget } from '../aws/target.js';
import { dataStreamConfig } from './config.js';
import { type DataStreamRecord, dataStreamLimits, encodeDataStreamRecord } from './encode.js';
import { resourcePacking } from './resource-packing.js';

const keyUnusable = {
  kind: 'misconfigured',
  message:
    'Kinesis cannot use the key that encrypts the data stream: check that the key is enabled and that the credentials may use it.',
} as const;

/**
 * Meaning of the vendor's error names for PutRecords, and for one record in its response.
 * https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecords.html#API_PutRecords_Errors
 */
const errorNames: ErrorNames = {
  ProvisionedThroughputExceededException: {
    kind: 'throttled',
    message: 'Kinesis throttles writes to the shards of the data stream. Add shards if this lasts.',
  },
  // The SDK does not classify it as throttling.
  KMSThrottlingException: {
    kind: 'throttled',
    message: 'The key that encrypts the data stream is throttled.',
  },
  KMSAccessDeniedException: keyUnusable,
  KMSDisabledException: keyUnusable,
  KMSInvalidStateException: keyUnusable,
  KMSNotFoundException: keyUnusable,
  KMSOptInRequired: keyUnusable,
  ResourceInUseException: {
    kind: 'unavailable',
    message: 'The data stream is not active: it is being created, changed or deleted.',
  },
};

/** What the errors of Kinesis mean. */
export const dataStreamVendor = {
  messages: messagesFor({ resource: 'data stream', service: 'Kinesis', action: 'kinesis:PutRecords' }),
  errorNames,
};

/** Amazon Kinesis Data Streams. */
export const dataStream = awsTarget({
  kind: 'data_stream',
  title: 'Kinesis Data Streams',
  limits: dataStreamLimits,
  config: dataStreamConfig,
  permissions: { actions: ['kinesis:PutRecords'], resource: { field: 'stream_arn', pattern: '^.+$', suffix: '' } },
  load: () => import('./client.js'),
  sender: (session, { records }): BatchSender<DataStreamRecord> => ({
    ...(records === 'packed' && { packing: resourcePacking }),
    limits: dataStreamLimits,
    ...dataStreamVendor,
    encode: encodeDataStreamRecord,
    call: async (part, signal) => {
      const response = await session.call((put) => put(part, signal), signal);
      return recordOutcomes(
        part.length,
        response.Records ?? [],
        ({ SequenceNumber }) => SequenceNumber,
        dataStreamVendor,
      );
    },
  }),
});
