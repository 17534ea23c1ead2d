import { z } from 'zod';
import { boundedString } from '../../bounds/bounded.js';
import { fieldForms } from '../form-schema.js';
import { type ArnKind, arnSchema, parseArnOf } from './arn.js';

/**
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html (names up to 64, paths up to 512
 * characters)
 */
const role: ArnKind = {
  service: 'iam',
  regional: false,
  resource: /^role\/(?:[\x21-\x2e\x30-\x7e]+\/){0,100}[A-Za-z0-9_+=,.@-]{1,64}$/,
  example: 'arn:aws:iam::123456789012:role/waybill-events',
};

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html (ExternalId) */
const EXTERNAL_ID_MAX_LENGTH = 1224;

const roleSchema = z
  .strictObject({
    role_arn: arnSchema(role, 'ARN of the role', 'Role that Waybill assumes to write to the target.'),
    external_id: boundedString(EXTERNAL_ID_MAX_LENGTH)
      .nullish()
      .describe(
        'External id that Waybill sends with every AssumeRole. It is generated for each destination: add it to the trust policy of the role. Read-only: ignored in requests.',
      )
      .meta({ readOnly: true }),
  })
  .meta({ id: 'CloudRole' });

const credsSchema = z.strictObject({
  // https://docs.aws.amazon.com/IAM/latest/APIReference/API_AccessKey.html (16 to 128 word characters)
  cloud_access_key_id: boundedString(128)
    .regex(/^[A-Za-z0-9_]{16,128}$/, 'must be an access key id of 16 to 128 letters and digits')
    .refine((id) => !id.startsWith('ASIA'), {
      error: 'must be a long-term access key: a temporary one (ASIA...) needs a session token and soon expires',
    })
    .describe('Id of a long-term access key. A temporary one (`ASIA…`) soon expires.')
    .meta({ examples: ['AKIAIOSFODNN7EXAMPLE'] })
    .register(fieldForms, { title: 'Access key id' }),
  cloud_secret_access_key: boundedString(256)
    .regex(/^[\x21-\x7e]{1,256}$/, 'must be 1 to 256 printable ASCII characters without spaces')
    .nullish()
    .describe('Secret of that access key. Never returned.')
    .register(fieldForms, { title: 'Secret access key' }),
});

/** Credentials for AWS: exactly one of a role that Waybill assumes and a long-term access key. */
export const authSchema = z
  .strictObject({
    role: roleSchema
      .nullable()
      .default(null)
      .describe('A role that Waybill assumes. Preferred: no key leaves your account.')
      .register(fieldForms, { title: 'A role that Waybill assumes (no key leaves your account)' }),
    creds: credsSchema
      .nullable()
      .default(null)
      .describe('A long-term access key.')
      .register(fieldForms, { title: 'A long-term access key' }),
  })
  .refine((auth) => (auth.role ? 1 : 0) + (auth.creds ? 1 : 0) === 1, {
    error: 'exactly one of role and creds must be given',
  })
  .describe('Cloud credentials: exactly one of role and creds.')
  .register(fieldForms, { title: 'How Waybill signs in', exactlyOne: true });

export type CloudAuth = z.input<typeof authSchema>;

/** Path of the only secret of an AWS target within its member. */
export const AUTH_SECRET_FIELD = 'auth.creds.cloud_secret_access_key';

/**
 * Returns why a role cannot write to a target, or null. The role must be in the target's partition. With
 * `addressedByName` (the vendor's call has no account) it must be in the target's account: otherwise the events would
 * go to a resource of the same name.
 */
export function authMismatch(
  auth: CloudAuth,
  target: { partition: string; account: string },
  { addressedByName }: { addressedByName: boolean },
): string | null {
  const assumed = auth.role ? parseArnOf(role, auth.role.role_arn) : null;
  if (!assumed) return null;
  if (assumed.partition !== target.partition) {
    return `must be a role in the partition of the target (${target.partition})`;
  }
  if (addressedByName && assumed.account !== target.account) {
    return `must be a role in the account of the target (${target.account}): the target is addressed by name within the account of the role`;
  }
  return null;
}
