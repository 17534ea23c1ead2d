import { z } from 'zod';
import { CertificateError, readCertificates, type Certificate } from '../../../certificates/certificate.js';
import { describable, describableInput } from '../../../http/text.js';
import { defineResource } from '../../framework/definition.js';
import { createdAt, identity } from '../../framework/fields.js';
import { certificateFields } from '../../building-blocks/certificates/certificate-fields.js';
import { pemField } from '../../building-blocks/certificates/pem.js';

/**
 * The one certificate in a PEM text, which must be an authority's.
 * @throws CertificateError that says which of it is not so
 */
export function readAuthority(pem: string): Certificate {
  const [authority, ...others] = readCertificates(pem);
  if (!authority || others.length > 0) {
    throw new CertificateError(`holds ${others.length + 1} certificates: give one for each authority`);
  }
  if (!authority.isAuthority) {
    throw new CertificateError(
      'is not the certificate of an authority: its basic constraints do not say CA:TRUE, or its key usages leave out keyCertSign',
    );
  }
  return authority;
}

/** Authorities that clients of the platform's traffic present certificates of. */
export const certificateAuthority = defineResource({
  name: 'certificate_authority',
  prefix: 'ca',
  path: '/certificate_authorities',
  listKey: 'certificate_authorities',
  title: { one: 'certificate authority', many: 'certificate authorities' },
  summary:
    'The certificate of an authority, for mutual TLS: connections with certificates that it signed are trusted.',
  create: z.strictObject({
    ...describableInput,
    ca_pem: pemField(readAuthority, 'The certificate of the authority in PEM: exactly one.'),
  }),
  update: z.strictObject(describableInput),
  read: z
    .object({
      ...identity,
      created_at: createdAt,
      ...describable,
      ca_pem: z.string().meta({ description: 'The certificate of the authority, as it was given.' }),
      ...certificateFields,
    })
    .meta({ id: 'CertificateAuthority' }),
});
