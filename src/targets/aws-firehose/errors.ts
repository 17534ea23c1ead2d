import type { SpecialNames } from '../aws/failure-names.js';
import { wordsFor } from '../aws/outcome.js';

export const deliveryStreamWords = wordsFor({
  resource: 'delivery stream',
  service: 'Firehose',
  action: 'firehose:PutRecordBatch',
});

/**
 * What the vendor's names mean for PutRecordBatch.
 * https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html#API_PutRecordBatch_Errors
 */
export const deliveryStreamNames: SpecialNames = {
  // A call beyond the limits gets it, and so does every call to a stream whose source is another stream: the usual case, for our
  // calls are within the limits.
  InvalidArgumentException: {
    kind: 'refused',
    message: 'Firehose refuses direct writes: the source of the delivery stream must be direct put.',
  },
  InvalidSourceException: {
    kind: 'misconfigured',
    message:
      'Firehose refuses direct writes: turn off the decompression of the delivery stream’s source records.',
  },
  InvalidKMSResourceException: {
    kind: 'misconfigured',
    message:
      'Firehose cannot use the key that encrypts the delivery stream: check that the key is enabled and allowed.',
  },
};
