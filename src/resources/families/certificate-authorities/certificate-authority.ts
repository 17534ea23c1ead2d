import { z } from 'zod';
import { describableInput } from '../../../http/input/text.js';
import { certificateFields } from '../../building-blocks/certificates/certificate-fields.js';
import { pemField } from '../../building-blocks/certificates/pem.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { commonFields } from '../../framework/definition/fields.js';

/** Authorities that sign the client certificates of mutual TLS. */
export const certificateAuthority = defineResource({
  ...kinds.certificateAuthority,
  title: { one: 'certificate authority', many: 'certificate authorities' },
  summary:
    'Certificate of a certificate authority for mutual TLS. Client certificates that the authority signed are trusted.',
  create: z.strictObject({
    ...describableInput,
    ca_pem: pemField('Certificate of the authority in PEM. Exactly one certificate.'),
  }),
  update: z.strictObject(describableInput),
  read: z.object({
    ...commonFields,
    ca_pem: z.string().meta({ description: 'Certificate of the authority in PEM, as given.' }),
    ...certificateFields,
  }),
});
