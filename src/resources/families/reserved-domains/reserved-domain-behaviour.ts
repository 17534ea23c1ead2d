import { echoed } from '../../../bounds/storable.js';
import { coversName } from '../../../certificates/reading/covered-names.js';
import { invalidInput, Problem } from '../../../problems/problem.js';
import { withCertificateState } from '../../building-blocks/certificate-management/certificate-state.js';
import { ReservationStore } from '../../building-blocks/names/reservation-store.js';
import type { ServiceNames } from '../../building-blocks/names/service-names.js';
import type { PendingChange, ResourceBehaviour } from '../../framework/definition/behaviour.js';
import type { Attributes } from '../../framework/definition/definition.js';
import { ResourceStore } from '../../framework/store/resource-store.js';
import { dnsNamesOf, tlsCertificate } from '../tls-certificates/tls-certificate.js';
import { usualPolicy } from './reserved-domain.js';

/**
 * Assigns the DNS targets of a domain, allows one source of certificates, and schedules the checks of automatic ones.
 */
export class ReservedDomainBehaviour implements ResourceBehaviour {
  constructor(private readonly names: ServiceNames) {}

  async prepare(change: PendingChange): Promise<Attributes> {
    assertOneSource(change);
    const targets = change.before === null ? this.targetsOf(change) : {};
    if (change.before === null) await assertFree(change);
    await assertCovered(change);
    const attributes = { ...change.attributes, ...targets, ...keptCertificate(change) };
    return withCertificateState({ ...change, attributes }, usualPolicy);
  }

  /**
   * The DNS targets never change: clients copy them into their DNS, where a change of settings cannot follow.
   */
  private targetsOf({ id, attributes }: PendingChange): Attributes {
    const domain = String(attributes.domain);
    if (this.names.uses(domain)) {
      throw invalidInput([{ pointer: '/domain', detail: 'must not be a name that the service uses' }]);
    }
    if (this.names.ownsParentOf(domain)) return { cname_target: null, acme_challenge_cname_target: null };
    return {
      cname_target: this.names.cnameTarget(id),
      acme_challenge_cname_target: domain.startsWith('*.') ? this.names.acmeChallengeTarget(id) : null,
    };
  }
}

/** Refuses a name that overlaps a reservation of another account, which would decide who serves the hosts of both. */
async function assertFree({ trx, context, attributes }: PendingChange): Promise<void> {
  const domain = String(attributes.domain);
  const reservations = new ReservationStore(trx);
  // Serialises with transactions that serve or reserve the name: each is either before or after the reservation.
  await reservations.lockName(domain);
  if (!(await reservations.overlapsAnother(domain, context.accountId))) return;
  const detail = `Another account has reserved the domain ${echoed(domain)}, or one that overlaps it.`;
  throw new Problem('conflict', detail);
}

/**
 * Refuses an uploaded certificate together with a policy. A managed domain has a certificate_id too, set by the
 * service; only a client that sends another id asks for both.
 */
function assertOneSource({ context, before, attributes }: PendingChange): void {
  const { certificate_id: certificate, certificate_management_policy: policy } = attributes;
  if (context.principal.kind === 'system' || certificate == null || policy == null) return;
  const managed = before?.attributes.certificate_management_policy != null;
  if (managed && before.attributes.certificate_id === certificate) return;
  const pointer = before !== null && !managed ? '/certificate_management_policy' : '/certificate_id';
  const detail =
    'certificate_id and certificate_management_policy are mutually exclusive: set one, and set the other to null';
  throw invalidInput([{ pointer, detail }]);
}

/**
 * A domain that stays managed keeps its certificate: a client that repeats its change sends null for the certificate,
 * which the service has set since.
 */
function keptCertificate({ context, before, attributes }: PendingChange): Attributes {
  const staysManaged = [before?.attributes, attributes].every((one) => one?.certificate_management_policy != null);
  if (context.principal.kind === 'system' || !staysManaged || attributes.certificate_id != null) return {};
  return { certificate_id: before?.attributes.certificate_id ?? null };
}

/**
 * Refuses another certificate that does not cover the domain. The links of the family refuse one that does not exist.
 */
async function assertCovered({ trx, context, before, attributes }: PendingChange): Promise<void> {
  const { certificate_id: id } = attributes;
  if (typeof id !== 'string' || id === before?.attributes.certificate_id) return;
  const scope = { accountId: context.accountId, kind: tlsCertificate.name, parentId: null, containing: null };
  const certificate = await new ResourceStore(trx).find(scope, id);
  if (!certificate || coversName(dnsNamesOf(certificate), String(attributes.domain))) return;
  const detail = `must be a certificate that covers ${echoed(String(attributes.domain))}: the DNS names of ${id} do not`;
  throw invalidInput([{ pointer: '/certificate_id', detail }]);
}
