import type { TargetKind } from './target-kind.js';

/** A policy document of IAM. */
export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly object[];
}

/** Calls of Waybill to each service, and what follows the ARN of the target in the resource. */
const permissions: Readonly<Partial<Record<TargetKind, readonly [actions: readonly string[], suffix: string]>>> = {
  data_stream: [['kinesis:PutRecords'], ''],
  delivery_stream: [['firehose:PutRecordBatch'], ''],
  log_group: [['logs:CreateLogStream', 'logs:PutLogEvents'], ':*'],
};

const principal = /^arn:aws[a-z-]*:iam::\d{12}:(?:root|(?:role|user)\/\S+)$/;

/** Whether a text is the ARN of a role, user or account that a trust policy can name. */
export function isPrincipal(text: string): boolean {
  return principal.test(text.trim());
}

/**
 * Returns the trust policy of the role that Waybill assumes.
 * @param trusted ARN of the principal that Waybill runs as
 * @param externalId the external id of the destination
 */
export function trustPolicyOf(trusted: string, externalId: string): Policy {
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: trusted.trim() },
        Action: 'sts:AssumeRole',
        Condition: { StringEquals: { 'sts:ExternalId': externalId } },
      },
    ],
  };
}

/** Returns the policy that lets the role write to the target; null for a kind that is not in AWS. */
export function permissionPolicyOf(kind: TargetKind, arn: string): Policy | null {
  const found = permissions[kind];
  if (found === undefined) return null;
  const [actions, suffix] = found;
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: actions, Resource: resourceOf(arn, suffix) }],
  };
}

/** Returns the resource of a policy. The ARN of a log group may end with `:*` or name a log stream. */
function resourceOf(arn: string, suffix: string): string {
  const base = suffix === '' ? arn.trim() : arn.trim().replace(/(:log-group:[^:]+).*$/, '$1');
  return base + suffix;
}
