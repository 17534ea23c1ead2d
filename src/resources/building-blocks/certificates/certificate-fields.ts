import { z } from 'zod';

/** Members that a certificate's representation shares with an authority's; all are read from the certificate itself. */
export const certificateFields = {
  subject_common_name: z
    .string()
    .nullable()
    .meta({ description: 'Common name of the subject; null where it has none.', example: 'app.example.com' }),
  not_before: z.iso.datetime().meta({ description: 'Start of its validity, RFC 3339.' }),
  not_after: z.iso.datetime().meta({ description: 'End of its validity, RFC 3339.' }),
  key_usages: z.array(z.string()).meta({
    description: 'What its key may be used for, in the names of RFC 5280 section 4.2.1.3.',
    example: ['digitalSignature'],
  }),
  extended_key_usages: z.array(z.string()).meta({
    description:
      'Purposes that it is meant for, in the names of RFC 5280 section 4.2.1.12; others as object identifiers.',
    example: ['serverAuth'],
  }),
};
