import { z } from 'zod';
import { privateKeyTypes } from '../../../certificates/reading/key-header.js';
import { describableInput } from '../../../http/input/text.js';
import { certificateFields } from '../../building-blocks/certificates/certificate-fields.js';
import { pemField } from '../../building-blocks/certificates/pem.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource, type ResourceRow } from '../../framework/definition/definition.js';
import { commonFields } from '../../framework/definition/fields.js';

const nameOf = (what: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${what}. Null when absent.` });

const alternativeNames = z
  .object({
    dns_names: z.array(z.string()).meta({ description: 'Host names, including wildcards.' }),
    ips: z.array(z.string()).meta({ description: 'IPv4 and IPv6 addresses.' }),
  })
  .meta({ description: 'Further names that the certificate is valid for.' });

/** Returns the DNS names of a stored certificate. */
export function dnsNamesOf({ attributes }: Pick<ResourceRow, 'attributes'>): readonly string[] {
  return alternativeNames.parse(attributes.subject_alternative_names).dns_names;
}

/** Certificates with private keys, for TLS termination. */
export const tlsCertificate = defineResource({
  ...kinds.tlsCertificate,
  title: { one: 'TLS certificate', many: 'TLS certificates' },
  summary: 'A certificate with its private key. Reserved domains refer to the certificate for their TLS traffic.',
  create: z.strictObject({
    ...describableInput,
    certificate_pem: pemField('Certificate in PEM, followed by the rest of its chain, if any.'),
    private_key_pem: pemField('Private key of the certificate in PEM, without a passphrase. Never returned.').meta({
      writeOnly: true,
    }),
  }),
  update: z.strictObject(describableInput),
  read: z.object({
    ...commonFields,
    certificate_pem: z.string().meta({ description: 'Certificate in PEM, with its chain.' }),
    subject_common_name: certificateFields.subject_common_name,
    subject_alternative_names: alternativeNames,
    issued_at: z.iso.datetime().nullable().meta({
      description: 'When the certificate was issued automatically, RFC 3339. Null for an uploaded certificate.',
    }),
    not_before: certificateFields.not_before,
    not_after: certificateFields.not_after,
    key_usages: certificateFields.key_usages,
    extended_key_usages: certificateFields.extended_key_usages,
    private_key_type: z.enum(privateKeyTypes).meta({ description: 'Type of the private key.' }),
    issuer_common_name: nameOf('Common name of the issuer'),
    serial_number: z.string().meta({ description: 'Serial number, in hexadecimal.', example: '0a1b2c' }),
    fingerprint_sha256: z
      .string()
      .meta({ description: 'SHA-256 of the first certificate in the chain, in hexadecimal.' }),
    subject_organization: nameOf('Organization of the subject'),
    subject_organizational_unit: nameOf('Organizational unit of the subject'),
    subject_locality: nameOf('Locality of the subject'),
    subject_province: nameOf('State or province of the subject'),
    subject_country: nameOf('Country of the subject'),
  }),
  secrets: [{ path: 'private_key_pem', required: true }],
});
