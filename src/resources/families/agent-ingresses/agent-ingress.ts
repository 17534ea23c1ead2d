import { z } from 'zod';
import { echoed } from '../../../bounds/storable.js';
import { describable, describableInput } from '../../../http/input/text.js';
import {
  certificatePolicy,
  certificatePolicyUpdate,
  certificateStatus,
  certificatePolicyResponse,
} from '../../building-blocks/certificate-management/fields.js';
import { kinds } from '../../building-blocks/kinds.js';
import { hostName } from '../../building-blocks/names/host-name.js';
import { defineResource } from '../../framework/definition/definition.js';
import { createdAt, identity } from '../../framework/definition/fields.js';

/** The policy of an ingress whose client omits members. */
export const usualPolicy = { authority: 'letsencrypt', private_key_type: 'rsa' } as const;

/** Domains that agents connect to instead of a domain of the service. */
export const agentIngress = defineResource({
  ...kinds.agentIngress,
  listKey: 'ingresses',
  title: { one: 'agent ingress', many: 'agent ingresses' },
  summary:
    'A domain of the account through which agents connect to the service in each region. Its NS records must delegate the domain to the service.',
  create: z.strictObject({
    ...describableInput,
    domain: hostName({ wildcards: false }).meta({
      description: 'A domain that the account owns. Internationalized names are stored as ASCII.',
      example: 'connect.example.com',
    }),
    certificate_management_policy: certificatePolicy(usualPolicy).nullish(),
  }),
  update: z.strictObject({
    ...describableInput,
    certificate_management_policy: certificatePolicyUpdate.nullish(),
  }),
  read: z.object({
    id: identity.id,
    uri: z.string().meta({
      description: 'Path of this resource, relative to the base URL.',
      example: '/agent_ingresses/agin_01kb3mhz2pe5b8sv3yqe4k9r0a',
    }),
    ...describable,
    domain: z.string().meta({ description: 'Domain, in lower-case ASCII.' }),
    ns_targets: z
      .array(z.string())
      .meta({ description: 'Values for the NS records that delegate the domain to the service.' }),
    region_domains: z.array(z.string()).meta({
      description: 'Ingress domain of each region, a subdomain of `domain`. The list may grow over time.',
    }),
    created_at: createdAt,
    certificate_management_policy: certificatePolicyResponse,
    certificate_management_status: certificateStatus,
  }),
  links: [{ field: 'certificate_id', to: [kinds.tlsCertificate] }],
  unique: [
    {
      index: 'agent_ingresses_by_domain',
      detail: ({ domain }) => `An agent ingress for ${echoed(String(domain))} already exists.`,
    },
  ],
  relativeUri: true,
});
