import { z } from 'zod';
import { describable, describableInput } from '../../../http/text.js';
import { defineResource } from '../../framework/definition.js';
import { createdAt, identity } from '../../framework/fields.js';
import {
  certificatePolicy,
  certificateStatus,
  shownCertificatePolicy,
} from '../../building-blocks/certificate-management/fields.js';
import { hostName } from '../../building-blocks/names/host-name.js';
import { tlsCertificate } from '../tls-certificates/tls-certificate.js';

const policy = certificatePolicy('rsa').nullish();

/** Domains that agents connect to instead of the service's own. */
export const agentIngress = defineResource({
  name: 'agent_ingress',
  prefix: 'agin',
  path: '/agent_ingresses',
  listKey: 'ingresses',
  title: { one: 'agent ingress', many: 'agent ingresses' },
  summary:
    'A domain of the account under which agents reach the service in each region, once its name servers are the service’s.',
  create: z.strictObject({
    ...describableInput,
    domain: hostName({ wildcards: false }).meta({
      description: 'A domain that the account owns. International names are kept in ASCII.',
      example: 'connect.example.com',
    }),
    certificate_management_policy: policy,
  }),
  update: z.strictObject({ ...describableInput, certificate_management_policy: policy }),
  read: z
    .object({
      id: identity.id,
      uri: z.string().meta({
        description: 'Path of this resource, relative to the base URL.',
        example: '/agent_ingresses/agin_01kb3mhz2pe5b8sv3yqe4k9r0a',
      }),
      ...describable,
      domain: z.string().meta({ description: 'The domain, in lower-case ASCII.' }),
      ns_targets: z
        .array(z.string())
        .meta({ description: 'Values of the NS records that hand the domain to the service.' }),
      region_domains: z.array(z.string()).meta({ description: 'The domain of each region; more may come.' }),
      created_at: createdAt,
      certificate_management_policy: shownCertificatePolicy,
      certificate_management_status: certificateStatus,
    })
    .meta({ id: 'AgentIngress' }),
  links: [{ field: 'certificate_id', to: () => [tlsCertificate] }],
  unique: [
    {
      index: 'agent_ingresses_by_domain',
      detail: ({ domain }) => `There is an agent ingress for ${String(domain)} already.`,
    },
  ],
  relativeUri: true,
});
