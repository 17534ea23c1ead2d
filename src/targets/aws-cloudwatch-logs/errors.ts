import type { ErrorNames } from '../aws/failure-names.js';
import { messagesFor } from '../aws/outcome.js';

export const logGroupMessages = messagesFor({
  resource: 'log group',
  service: 'CloudWatch Logs',
  action: 'logs:PutLogEvents and logs:CreateLogStream',
});

/**
 * Meaning of the vendor's error names for PutLogEvents and CreateLogStream.
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html#API_PutLogEvents_Errors
 */
export const logGroupErrorNames: ErrorNames = {
  // The log class of the group accepts no such writes.
  InvalidOperationException: { kind: 'misconfigured' },
  // A quota of the account is exhausted: a retry may succeed, or the owner raises it.
  ServiceQuotaExceededException: { kind: 'throttled' },
};
