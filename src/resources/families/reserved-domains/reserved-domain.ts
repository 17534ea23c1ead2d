import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { echoed } from '../../../bounds/storable.js';
import { describableInput } from '../../../http/input/text.js';
import {
  certificatePolicy,
  certificatePolicyUpdate,
  certificateStatus,
  certificatePolicyResponse,
} from '../../building-blocks/certificate-management/fields.js';
import { kinds } from '../../building-blocks/kinds.js';
import { hostName } from '../../building-blocks/names/host-name.js';
import { region, regionInput } from '../../building-blocks/names/region.js';
import { defineResource } from '../../framework/definition/definition.js';
import { commonFields, ref } from '../../framework/definition/fields.js';

const REGION_TEXT = 'Deprecated: traffic is handled globally. Returned as given.';

/** The policy of a domain whose client omits members. */
export const usualPolicy = { authority: 'letsencrypt', private_key_type: 'ecdsa' } as const;

const certificateId = boundedString(255).nullish().meta({
  description:
    'Id of an uploaded TLS certificate that covers the domain. Mutually exclusive with certificate_management_policy.',
});

/** The OpenAPI schema of the rule that a domain has an uploaded certificate or a policy. */
const oneCertificate = {
  not: {
    required: ['certificate_id', 'certificate_management_policy'],
    properties: { certificate_id: { type: 'string' }, certificate_management_policy: { type: 'object' } },
  },
};

/** Host names of an account. */
export const reservedDomain = defineResource({
  ...kinds.reservedDomain,
  title: { one: 'reserved domain', many: 'reserved domains' },
  summary:
    'A host name, or a wildcard, that belongs to one account. A subdomain of a service-owned domain works at once. Any other name needs the DNS records in the response.',
  create: z
    .strictObject({
      ...describableInput,
      domain: hostName({ wildcards: true }).meta({
        description:
          'Host name, or a wildcard such as *.example.com. Internationalized names are stored as ASCII. Only one account can reserve a name. A wildcard and the names that it covers belong to the same account.',
        example: 'app.example.com',
      }),
      region: regionInput(null).meta({ description: `${REGION_TEXT} An empty string means null.`, deprecated: true }),
      certificate_id: certificateId,
      certificate_management_policy: certificatePolicy(usualPolicy).nullish(),
    })
    .meta(oneCertificate),
  update: z
    .strictObject({
      ...describableInput,
      certificate_id: certificateId,
      certificate_management_policy: certificatePolicyUpdate.nullish(),
    })
    .meta(oneCertificate),
  read: z.object({
    ...commonFields,
    domain: z.string().meta({ description: 'Host name, in lower-case ASCII.', example: 'app.example.com' }),
    region: region.nullable().meta({ description: REGION_TEXT, deprecated: true }),
    cname_target: z.string().nullable().meta({
      description: 'Value of the CNAME record for the host name. Null for a subdomain of a service-owned domain.',
    }),
    http_endpoint_configuration: ref.nullable().meta({ description: 'Always null.', deprecated: true }),
    https_endpoint_configuration: ref.nullable().meta({ description: 'Always null.', deprecated: true }),
    certificate: ref.nullable().meta({
      description: 'TLS certificate in use: the uploaded one or the latest automatic one. Null when there is none.',
    }),
    certificate_management_policy: certificatePolicyResponse,
    certificate_management_status: certificateStatus,
    acme_challenge_cname_target: z.string().nullable().meta({
      description:
        'Value of the CNAME record for the `_acme-challenge` host. Required to issue certificates for a wildcard. Null for other names and for subdomains of service-owned domains.',
    }),
    error_redirect_url: z.string().nullable().meta({ description: 'Always null.', deprecated: true }),
  }),
  links: [{ field: 'certificate_id', as: 'certificate', to: [kinds.tlsCertificate] }],
  unique: [
    {
      index: 'reserved_domains_by_domain',
      detail: ({ domain }) => `The domain ${echoed(String(domain))} is already reserved.`,
    },
  ],
});
