import type { DnsRecords } from '../../certificates/dns-records.js';
import type { ServiceNames } from '../building-blocks/names/service-names.js';
import { agentIngress } from '../families/agent-ingresses/agent-ingress.js';
import type { ResourceRow } from '../framework/definition/definition.js';

/** The DNS records that a managed certificate requires. Null for a subdomain of a service-owned domain. */
export function requiredRecords(
  { kind, attributes }: Pick<ResourceRow, 'kind' | 'attributes'>,
  names: ServiceNames,
): DnsRecords | null {
  const name = String(attributes.domain);
  if (kind === agentIngress.name) return { type: 'NS', name, targets: names.nameServers };
  const { cname_target: target, acme_challenge_cname_target: challenge } = attributes;
  if (typeof challenge === 'string') {
    return { type: 'CNAME', name: `_acme-challenge.${name.replace(/^\*\./, '')}`, target: challenge };
  }
  return typeof target === 'string' ? { type: 'CNAME', name, target } : null;
}
