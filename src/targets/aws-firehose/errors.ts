import type { ErrorNames } from '../aws/failure-names.js';
import { messagesFor } from '../aws/outcome.js';

export const deliveryStreamMessages = messagesFor({
  resource: 'delivery stream',
  service: 'Firehose',
  action: 'firehose:PutRecordBatch',
});

/**
 * Meaning of the vendor's error names for PutRecordBatch.
 * https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html#API_PutRecordBatch_Errors
 */
export const deliveryStreamErrorNames: ErrorNames = {
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
