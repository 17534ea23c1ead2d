import type { DnsRecords } from '../../certificates/dns-records.js';
import { agentIngress } from '../families/agent-ingresses/agent-ingress.js';
import type { ServiceNames } from '../building-blocks/names/service-names.js';
import type { HolderRow } from './holder-store.js';

/** What must stand in DNS for a managed certificate; null below one of the service's own domains. */
export function recordsOf(
  { kind, attributes }: Pick<HolderRow, 'kind' | 'attributes'>,
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
