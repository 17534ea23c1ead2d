import type { TargetKind } from '../../api/target-kinds.js';
import { credentialFields, memberAt, type TargetDraft } from './draft.js';

/** Path of the role in the configuration of a target in AWS. */
const ROLE = 'auth.role';

/** A policy document of IAM. */
export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly object[];
}

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

/** Returns the policy that lets the role write to the target; null where the target is not typed, or takes no role. */
export function permissionPolicyOf({ kind: { permissions }, values }: TargetDraft): Policy | null {
  if (permissions === null) return null;
  const { field, pattern, suffix } = permissions.resource;
  const [named] = new RegExp(pattern, 'u').exec((values[field] ?? '').trim()) ?? [];
  if (named === undefined) return null;
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: permissions.actions, Resource: named + suffix }],
  };
}

/** Whether Waybill signs in with a role that it assumes. */
export function usesRole(draft: TargetDraft): boolean {
  return draft.kind.permissions !== null && credentialFields(draft).some(({ path }) => path.startsWith(`${ROLE}.`));
}

/** Returns the external id of the role of a stored target; null where it has no role. */
export function externalIdOf(kind: TargetKind, target: object): string | null {
  const id = memberAt(target, `${kind.kind}.${ROLE}.external_id`);
  return typeof id === 'string' ? id : null;
}
