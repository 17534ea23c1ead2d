import { z } from 'zod';
import { provisioningErrors } from '../../../certificates/provisioning.js';

const authority = z.enum(['letsencrypt'], { error: 'the only authority is letsencrypt' }).meta({
  description: 'The authority that issues the certificates.',
});
const privateKeyType = z.enum(['rsa', 'ecdsa']).meta({ description: 'The kind of their keys.' });

/** The policy of automatic certificates in a request; families differ in the default kind of key. */
export function certificatePolicy(defaultKeyType: 'rsa' | 'ecdsa') {
  return z
    .strictObject({
      authority: authority.default('letsencrypt'),
      private_key_type: privateKeyType.default(defaultKeyType),
    })
    .meta({ description: 'How certificates are got automatically; null: they are not.' });
}

/** The policy as it is shown. */
export const shownCertificatePolicy = z
  .object({ authority, private_key_type: privateKeyType })
  .meta({
    id: 'CertificateManagementPolicy',
    description: 'How certificates are got automatically.',
  })
  .nullable();

/** The status of automatic certificates as it is shown. */
export const certificateStatus = z
  .object({
    renews_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the certificate is renewed, RFC 3339; null before the first one.' }),
    provisioning_job: z
      .object({
        error_code: z.enum(provisioningErrors).nullable().meta({
          description:
            'Set only while provisioning fails: DNS_ERROR is for the client to mend, INTERNAL_ERROR passes.',
        }),
        msg: z.string().meta({ description: 'What is going on, for people.' }),
        started_at: z.iso.datetime().meta({ description: 'When it began, RFC 3339.' }),
        retries_at: z.iso
          .datetime()
          .nullable()
          .meta({ description: 'When it is tried again, RFC 3339; null while it is not failing.' }),
      })
      .nullable()
      .meta({ description: 'The certificate that is being got; null while there is nothing to do.' }),
  })
  .meta({
    id: 'CertificateManagementStatus',
    description: 'How the automatic certificate stands; null without a policy.',
  })
  .nullable();
