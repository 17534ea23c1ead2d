import type { BatchSender } from '../aws/batch-sender.js';
import type { ErrorNames } from '../aws/failure-names.js';
import { messagesFor } from '../aws/outcome.js';
import { recordOutcomes } from '../aws/record-outcome.js';
import { awsTarget } from '../aws/target.js';
import { deliveryStreamConfig } from './config.js';
import { type DeliveryStreamRecord, deliveryStreamLimits, encodeDeliveryStreamRecord, linePacking } from './encode.js';

/**
 * Meaning of the vendor's error names for PutRecordBatch.
 * https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html#API_PutRecordBatch_Errors
 */
const errorNames: ErrorNames = {
  // Firehose uses it for a call above the limits, and for every call to a stream whose source is another stream. Calls
  // of Waybill are within the limits.
  InvalidArgumentException: {
    kind: 'refused',
    message: 'Firehose refuses direct writes: the source of the delivery stream must be direct put.',
  },
  InvalidSourceException: {
    kind: 'misconfigured',
    message: 'Firehose refuses direct writes: turn off the decompression of source records.',
  },
  InvalidKMSResourceException: {
    kind: 'misconfigured',
    message:
      'Firehose cannot use the key that encrypts the delivery stream: check that the key is enabled and its policy allows Firehose.',
  },
};

const vendor = {
  messages: messagesFor({ resource: 'delivery stream', service: 'Firehose', action: 'firehose:PutRecordBatch' }),
  errorNames,
};

/** Amazon Data Firehose. */
export const deliveryStream = awsTarget({
  kind: 'delivery_stream',
  title: 'Amazon Data Firehose',
  limits: deliveryStreamLimits,
  config: deliveryStreamConfig,
  permissions: {
    actions: ['firehose:PutRecordBatch'],
    resource: { field: 'delivery_stream_arn', pattern: '^.+$', suffix: '' },
  },
  load: () => import('./client.js'),
  sender: (session, { records }): BatchSender<DeliveryStreamRecord> => ({
    ...(records === 'packed' && { packing: linePacking }),
    limits: deliveryStreamLimits,
    ...vendor,
    encode: encodeDeliveryStreamRecord,
    call: async (part, signal) => {
      const data = part.map((record) => record.data);
      const response = await session.call((put) => put(data, signal), signal);
      return recordOutcomes(part.length, response.RequestResponses ?? [], ({ RecordId }) => RecordId, vendor);
    },
  }),
});
