import { z } from 'zod';
import { describable, describableInput } from '../../../http/text.js';
import { defineResource } from '../../framework/definition.js';
import { createdAt, identity, ref } from '../../framework/fields.js';
import {
  certificatePolicy,
  certificateStatus,
  shownCertificatePolicy,
} from '../../building-blocks/certificate-management/fields.js';
import { tlsCertificate } from '../tls-certificates/tls-certificate.js';
import { hostName } from '../../building-blocks/names/host-name.js';
import { region, regions } from '../../building-blocks/names/region.js';

const REGION_TEXT = 'Deprecated: traffic is handled in every region. Kept as it was given.';

const certificateInputs = {
  certificate_id: z
    .string()
    .max(255)
    .nullish()
    .meta({ description: 'An uploaded TLS certificate. Not together with certificate_management_policy.' }),
  certificate_management_policy: certificatePolicy('ecdsa').nullish(),
};

/** Host names that an account's traffic arrives at. */
export const reservedDomain = defineResource({
  name: 'reserved_domain',
  prefix: 'rd',
  path: '/reserved_domains',
  listKey: 'reserved_domains',
  title: { one: 'reserved domain', many: 'reserved domains' },
  summary:
    'A host name, or a wildcard of host names, that belongs to the account alone. Below one of the service’s own domains it works at once; any other is pointed to the service with the DNS records that it shows.',
  create: z.strictObject({
    ...describableInput,
    domain: hostName({ wildcards: true }).meta({
      description:
        'A host name, or a wildcard such as *.example.com. International names are kept in ASCII. Belongs to one account only.',
      example: 'app.example.com',
    }),
    region: z
      .enum([...regions, ''])
      .nullish()
      .transform((given) => (given === '' ? null : given))
      .meta({ description: `${REGION_TEXT} Empty: none.`, deprecated: true }),
    ...certificateInputs,
  }),
  update: z.strictObject({ ...describableInput, ...certificateInputs }),
  read: z
    .object({
      ...identity,
      created_at: createdAt,
      ...describable,
      domain: z
        .string()
        .meta({ description: 'The host name, in lower-case ASCII.', example: 'app.example.com' }),
      region: region.nullable().meta({ description: REGION_TEXT, deprecated: true }),
      cname_target: z.string().nullable().meta({
        description:
          'Value of the CNAME record for the host name; null below one of the service’s own domains.',
      }),
      http_endpoint_configuration: ref.nullable().meta({ description: 'Always null.', deprecated: true }),
      https_endpoint_configuration: ref.nullable().meta({ description: 'Always null.', deprecated: true }),
      certificate: ref.nullable().meta({
        description: 'The TLS certificate in use: the uploaded one, the latest automatic one, or none.',
      }),
      certificate_management_policy: shownCertificatePolicy,
      certificate_management_status: certificateStatus,
      acme_challenge_cname_target: z.string().nullable().meta({
        description:
          'Value of the CNAME record for the _acme-challenge host, which certificates for a wildcard need; null for others and below one of the service’s own domains.',
      }),
      error_redirect_url: z.string().nullable().meta({ description: 'Always null.', deprecated: true }),
    })
    .meta({ id: 'ReservedDomain' }),
  links: [{ field: 'certificate_id', as: 'certificate', to: () => [tlsCertificate] }],
  unique: [
    {
      index: 'reserved_domains_by_domain',
      detail: ({ domain }) => `The domain ${String(domain)} is reserved already.`,
    },
  ],
});
