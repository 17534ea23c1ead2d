import { z } from 'zod';
import { provisioningErrors } from '../../../certificates/provisioning.js';

const authority = z.enum(['letsencrypt'], { error: 'must be letsencrypt, the only supported authority' }).meta({
  description: 'Authority that issues the certificates.',
});
const privateKeyType = z.enum(['rsa', 'ecdsa']).meta({ description: 'Type of the private keys.' });

const POLICY_TEXT = 'Policy of automatic certificate management. Null disables automatic management.';

/** The policy of automatic certificates in a create. The defaults depend on the family. */
export function certificatePolicy(usual: CertificatePolicy) {
  return z
    .strictObject({
      authority: authority.default(usual.authority),
      private_key_type: privateKeyType.default(usual.private_key_type),
    })
    .meta({ description: POLICY_TEXT });
}

/** The policy in an update. */
export const certificatePolicyUpdate = z
  .strictObject({ authority: authority.optional(), private_key_type: privateKeyType.optional() })
  .meta({ description: `${POLICY_TEXT} Members that are left out stay unchanged.` });

const partialPolicy = z.object({ authority: authority.optional(), private_key_type: privateKeyType.optional() });

/**
 * Returns the policy after a change: the members that the change has, then those of the current policy, then those of
 * the usual one. Null when the change has none.
 */
export function completePolicy(changed: unknown, current: unknown, usual: CertificatePolicy): CertificatePolicy | null {
  if (changed === null) return null;
  return { ...usual, ...partialPolicy.nullable().parse(current), ...partialPolicy.parse(changed) };
}

/** The policy in a response. */
export const certificatePolicyResponse = z
  .object({ authority, private_key_type: privateKeyType })
  .meta({
    id: 'CertificateManagementPolicy',
    description: 'Policy of automatic certificate management. Null when disabled.',
  })
  .nullable();

/** A policy of automatic certificates. */
export type CertificatePolicy = NonNullable<z.infer<typeof certificatePolicyResponse>>;

/** The status of automatic certificates in a response. */
export const certificateStatus = z
  .object({
    renews_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the certificate is renewed, RFC 3339. Null before the first certificate.' }),
    provisioning_job: z
      .object({
        error_code: z.enum(provisioningErrors).nullable().meta({
          description:
            'Null unless provisioning is failing. `DNS_ERROR`: permanent condition that the user must correct. `INTERNAL_ERROR`: temporary condition.',
        }),
        msg: z.string().meta({ description: 'Description of the current status.' }),
        started_at: z.iso.datetime().meta({ description: 'When provisioning started, RFC 3339.' }),
        retries_at: z.iso.datetime().nullable().meta({
          description: 'When provisioning is retried, RFC 3339. Null unless provisioning is failing.',
        }),
      })
      .nullable()
      .meta({ description: 'Provisioning of the next certificate. Null when none is in progress.' }),
  })
  .meta({
    id: 'CertificateManagementStatus',
    description: 'Status of automatic certificate management. Null without a policy.',
  })
  .nullable();
