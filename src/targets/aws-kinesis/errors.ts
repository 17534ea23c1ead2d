import type { ErrorNames } from '../aws/failure-names.js';
import { messagesFor } from '../aws/outcome.js';

export const dataStreamMessages = messagesFor({
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
 * Meaning of the vendor's error names for PutRecords, and for one record in its response.
 * https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecords.html#API_PutRecords_Errors
 */
export const dataStreamErrorNames: ErrorNames = {
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
