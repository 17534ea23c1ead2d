import { z } from 'zod';
import { CertificateError, readCertificates, type Certificate } from '../../../certificates/certificate.js';
import { describable, describableInput } from '../../../http/text.js';
import { certificateFields } from '../../building-blocks/certificates/certificate-fields.js';
import { pemField } from '../../building-blocks/certificates/pem.js';
import { defineResource } from '../../framework/definition.js';
import { createdAt, identity } from '../../framework/fields.js';

/**
 * Reads the certificate of an authority from a PEM text that holds exactly one certificate.
 * @throws CertificateError when there is another number of certificates, or the certificate is not an authority's
 */
export function readAuthority(pem: string): Certificate {
  const [authority, ...others] = readCertificates(pem);
  if (!authority || others.length > 0) {
    throw new CertificateError(`must hold exactly one certificate, but holds ${others.length + 1}`);
  }
  if (!authority.isAuthority) {
    throw new CertificateError(
      'is not the certificate of an authority: basic constraints must have CA:TRUE, and key usages, if present, keyCertSign',
    );
  }
  return authority;
}

/** Authorities that sign the client certificates of mutual TLS. */
export const certificateAuthority = defineResource({
  name: 'certificate_authority',
  prefix: 'ca',
  path: '/certificate_authorities',
  listKey: 'certificate_authorities',
  title: { one: 'certificate authority', many: 'certificate authorities' },
  summary:
    'Certificate of a certificate authority for mutual TLS. Client certificates that the authority signed are trusted.',
  create: z.strictObject({
    ...describableInput,
    ca_pem: pemField(readAuthority, 'Certificate of the authority in PEM. Exactly one certificate.'),
  }),
  update: z.strictObject(describableInput),
  read: z
    .object({
      ...identity,
      created_at: createdAt,
      ...describable,
      ca_pem: z.string().meta({ description: 'Certificate of the authority in PEM, as given.' }),
      ...certificateFields,
    })
    .meta({ id: 'CertificateAuthority' }),
});
