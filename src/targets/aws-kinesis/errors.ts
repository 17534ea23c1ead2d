import type { SpecialNames } from '../aws/failure-names.js';
import { wordsFor } from '../aws/outcome.js';

export const dataStreamWords = wordsFor({
  resource: 'data stream',
  service: 'Kinesis',
  action: 'kinesis:PutRecords',
});

const keyUnusable = {
  kind: 'misconfigured',
  message:
    'Kinesis cannot use the key that encrypts the data stream: check that the key is enabled and that the credentials may use it.',
} as const;

/**
 * What the vendor's names mean for PutRecords, and for one record in its answer.
 * https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecords.html#API_PutRecords_Errors
 */
export const dataStreamNames: SpecialNames = {
  ProvisionedThroughputExceededException: {
    kind: 'throttled',
    message: 'Kinesis is throttling: the shards of the data stream take less than is sent to them.',
  },
  // The SDK does not class it as throttling.
  KMSThrottlingException: {
    kind: 'throttled',
    message: 'The key that encrypts the data stream is throttled.',
  },
  KMSAccessDeniedException: keyUnusable,
  KMSDisabledException: keyUnusable,
  KMSInvalidStateException: keyUnusable,
  KMSNotFoundException: keyUnusable,
  KMSOptInRequired: keyUnusable,
  // The stream is being created or deleted.
  ResourceInUseException: { kind: 'unavailable', message: 'The data stream is not active at the moment.' },
};
