import type { Database, Transaction } from '../../../database/database.js';
import { invalidInput } from '../../../problems/problem.js';
import { withCertificateState } from '../../building-blocks/certificate-management/certificate-state.js';
import type { ServiceNames } from '../../building-blocks/names/service-names.js';
import type { PendingChange, ResourceBehaviour } from '../../framework/definition/behaviour.js';
import type { Attributes, ResourceRow } from '../../framework/definition/definition.js';
import { usualPolicy } from './agent-ingress.js';

/**
 * Derives the DNS names of an ingress from the current settings and schedules the checks of its certificate.
 */
export class AgentIngressBehaviour implements ResourceBehaviour {
  constructor(private readonly names: ServiceNames) {}

  prepare(change: PendingChange): Attributes {
    const domain = String(change.attributes.domain);
    if (change.before === null && (this.names.uses(domain) || this.names.ownsParentOf(domain))) {
      throw invalidInput([{ pointer: '/domain', detail: 'must be a domain of the account, not of the service' }]);
    }
    const attributes = withCertificateState(change, usualPolicy);
    // The link to a certificate that nothing uses would keep it from deletion, and no client could remove it.
    return attributes.certificate_management_policy == null ? { ...attributes, certificate_id: null } : attributes;
  }

  derivedMembers(_: Database | Transaction, rows: readonly ResourceRow[]): Promise<readonly Attributes[]> {
    const members = rows.map(({ attributes }) => ({
      ns_targets: this.names.nameServers,
      region_domains: this.names.regionDomains(String(attributes.domain)),
    }));
    return Promise.resolve(members);
  }
}
