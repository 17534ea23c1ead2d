import type { SpecialNames } from '../aws/failure-names.js';
import { wordsFor } from '../aws/outcome.js';

export const logGroupWords = wordsFor({
  resource: 'log group',
  service: 'CloudWatch Logs',
  action: 'logs:PutLogEvents and logs:CreateLogStream',
});

/**
 * What the vendor's names mean for PutLogEvents and CreateLogStream.
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html#API_PutLogEvents_Errors
 */
export const logGroupNames: SpecialNames = {
  // Log groups that are delivered to by other means (a delivery class, a data protection in progress) refuse writes.
  InvalidOperationException: { kind: 'misconfigured' },
  // A quota of the account is used up: waiting helps, or its owner.
  ServiceQuotaExceededException: { kind: 'throttled' },
};
