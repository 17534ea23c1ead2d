import type { ScheduleCheck } from '../../../certificates/certificate-holders.js';
import { invalidInput } from '../../../problems/problem.js';
import type { PendingChange, ResourceBehaviour } from '../../framework/behaviour.js';
import type { Attributes, ResourceRow } from '../../framework/definition.js';
import {
  dueOf,
  withCertificateStatus,
} from '../../building-blocks/certificate-management/certificate-state.js';
import { reservations } from '../../building-blocks/names/reservations.js';
import type { ServiceNames } from '../../building-blocks/names/service-names.js';

/** A domain has DNS targets from its creation on, one source of certificates at most, and a job while they are automatic. */
export class ReservedDomainBehaviour implements ResourceBehaviour {
  /** @param schedule is told of each client's change when the resource is to be checked next */
  constructor(
    private readonly names: ServiceNames,
    private readonly schedule: ScheduleCheck = () => {},
  ) {}

  async prepare(change: PendingChange): Promise<Attributes> {
    assertOneSource(change);
    // Whoever is about to serve the name has it reserved already, or is served before it is.
    if (change.before === null) await reservations.holdName(change.trx, String(change.attributes.domain));
    const targets = change.before === null ? this.targetsOf(change) : {};
    return withCertificateStatus({ ...change, attributes: { ...change.attributes, ...targets } });
  }

  created(row: ResourceRow): void {
    this.schedule(row.id, dueOf(row));
  }

  updated(row: ResourceRow): void {
    this.schedule(row.id, dueOf(row));
  }

  /** Kept as they are once given: clients copy them into their own DNS, where a change of our settings cannot follow. */
  private targetsOf({ id, attributes }: PendingChange): Attributes {
    const domain = String(attributes.domain);
    if (this.names.uses(domain)) {
      throw invalidInput([{ pointer: '/domain', detail: 'is a name that the service uses itself' }]);
    }
    if (this.names.ownsParentOf(domain)) return { cname_target: null, acme_challenge_cname_target: null };
    return {
      cname_target: this.names.cnameTarget(id),
      acme_challenge_cname_target: domain.startsWith('*.') ? this.names.acmeChallengeTarget(id) : null,
    };
  }
}

/**
 * A certificate is either uploaded or managed. A managed domain has a certificate too, which the service has put there; only a
 * client that names another one asks for both.
 */
function assertOneSource({ context, before, attributes }: PendingChange): void {
  const { certificate_id: certificate, certificate_management_policy: policy } = attributes;
  if (context.principal.kind === 'system' || certificate == null || policy == null) return;
  const managed = before?.attributes.certificate_management_policy != null;
  if (managed && before.attributes.certificate_id === certificate) return;
  const pointer = before !== null && !managed ? '/certificate_management_policy' : '/certificate_id';
  const detail =
    'certificate_id and certificate_management_policy exclude each other: give one, and null for the other where it is set';
  throw invalidInput([{ pointer, detail }]);
}
