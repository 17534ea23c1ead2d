import { z } from 'zod';

/** Fields that TLS certificates and certificate authorities share. All are read from the certificate. */
export const certificateFields = {
  subject_common_name: z
    .string()
    .nullable()
    .meta({ description: 'Common name of the subject. Null when absent.', example: 'app.example.com' }),
  not_before: z.iso.datetime().meta({ description: 'Start of the validity period, RFC 3339.' }),
  not_after: z.iso.datetime().meta({ description: 'End of the validity period, RFC 3339.' }),
  key_usages: z.array(z.string()).meta({
    description: 'Key usages, with the names of RFC 5280 section 4.2.1.3.',
    example: ['digitalSignature'],
  }),
  extended_key_usages: z.array(z.string()).meta({
    description: 'Extended key usages, with the names of RFC 5280 section 4.2.1.12. Others are object identifiers.',
    example: ['serverAuth'],
  }),
};
