import { z } from 'zod';
import { type ArnKind, arnSchema, parseArnOf } from '../aws/arn.js';
import { authMismatch, authSchema } from '../aws/auth.js';

/**
 * `log-group:NAME`, with `:*` or `:log-stream:STREAM` behind it.
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html (logGroupName,
 * logStreamName)
 */
const logGroupResource =
  /^log-group:(?<group>[.\-_/#A-Za-z0-9]{1,512})(?::\*|:log-stream:(?<stream>\*|[\x21-\x29\x2b-\x39\x3b-\x7e]{1,512}))?$/;

const logGroupArn: ArnKind = {
  service: 'logs',
  regional: true,
  resource: logGroupResource,
  example: 'arn:aws:logs:us-east-1:123456789012:log-group:/waybill/audit-events',
};

/** The parts of a log group's ARN: the vendor's call has only the name. */
export interface LogGroupAddress {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
  readonly group: string;
  /** The log stream, where the ARN names one. */
  readonly stream: string | null;
}

/** Parses the ARN of a log group; returns null for another text. */
export function logGroupAddress(arn: string): LogGroupAddress | null {
  const parsed = parseArnOf(logGroupArn, arn);
  const { group, stream } = logGroupResource.exec(parsed?.resource ?? '')?.groups ?? {};
  if (!parsed || !group) return null;
  const { partition, region, account } = parsed;
  return {
    partition,
    region,
    account,
    group,
    stream: stream === undefined || stream === '*' ? null : stream,
  };
}

/** The member `log_group` of a destination's target. */
export const logGroupConfig = z
  .strictObject({
    auth: authSchema,
    log_group_arn: arnSchema(
      logGroupArn,
      'ARN of the log group',
      'ARN of the log group, which must exist. Events go to its log stream `waybill/<destination id>`, or to the one that the ARN names; it is created when it is missing.',
    ),
  })
  .superRefine(({ auth, log_group_arn: arn }, context) => {
    const address = logGroupAddress(arn);
    const mismatch = address && authMismatch(auth, address, { addressedByName: true });
    if (mismatch) context.addIssue({ code: 'custom', path: ['auth', 'role', 'role_arn'], message: mismatch });
  })
  .describe('Amazon CloudWatch Logs: each event is one log event of JSON.');

export type LogGroupConfig = z.output<typeof logGroupConfig>;
