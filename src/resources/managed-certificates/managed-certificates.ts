import { echoed } from '../../bounds/storable.js';
import type { DnsRecords } from '../../certificates/dns-records.js';
import {
  certificateIssued,
  provisioningFailed,
  recordsVerified,
  reportOverdue,
  type Failure,
  type CertificateState,
} from '../../certificates/provisioning.js';
import type { CertificateReader } from '../../certificates/reading/certificate-reader.js';
import type { Certificate } from '../../certificates/reading/certificate.js';
import { coversName } from '../../certificates/reading/covered-names.js';
import type { Config } from '../../config/config.js';
import type { Database, Transaction } from '../../database/database.js';
import { systemContext } from '../../events/envelope/system-context.js';
import type { BaseUrl } from '../../http/request/base-url.js';
import type { RequestContext } from '../../http/request/request-context.js';
import { invalidInput, notFound, Problem, withPointers } from '../../problems/problem.js';
import type { BackoffSchedule } from '../../timing/backoff.js';
import { certificateStateOf } from '../building-blocks/certificate-management/certificate-state.js';
import { certificatePolicyResponse } from '../building-blocks/certificate-management/fields.js';
import type { ServiceNames } from '../building-blocks/names/service-names.js';
import { AgentIngressBehaviour } from '../families/agent-ingresses/agent-ingress-behaviour.js';
import { agentIngress } from '../families/agent-ingresses/agent-ingress.js';
import { ReservedDomainBehaviour } from '../families/reserved-domains/reserved-domain-behaviour.js';
import { reservedDomain } from '../families/reserved-domains/reserved-domain.js';
import { certificateFacts } from '../families/tls-certificates/tls-certificate-behaviour.js';
import { tlsCertificate } from '../families/tls-certificates/tls-certificate.js';
import type { Attributes, ResourceRow } from '../framework/definition/definition.js';
import type { ResourceServices } from '../framework/service/resource-service.js';
import { ResourceStore } from '../framework/store/resource-store.js';
import { ResourceWriter } from '../framework/writer/resource-writer.js';
import { ManagedResourceStore } from './managed-resource-store.js';
import { requiredRecords } from './required-records.js';

/** A managed certificate with a scheduled check. */
interface ManagedCertificate {
  /** Id of the resource. */
  readonly id: string;
  /** When the check is due. `recordCheck` compares it to detect a concurrent change. */
  readonly dueAt: string;
  /** The failure that the check finds: the data plane has not reported the certificate by then. Otherwise null. */
  readonly overdue: Failure | null;
  /** Null when no DNS records are required. */
  readonly records: DnsRecords | null;
}

/** A certificate that the data plane ordered, with its chain and its key, in PEM. */
interface IssuedCertificate {
  readonly certificate_pem: string;
  readonly private_key_pem: string;
}

/** A report of the data plane, which orders certificates: one was issued, or issuing failed. */
type CertificateReport = { readonly issued: IssuedCertificate } | { readonly failed: { readonly message: string } };

/** One change of a managed resource in a transaction. */
interface Change {
  readonly trx: Transaction;
  readonly context: RequestContext;
  readonly writer: ResourceWriter;
  /** The managed resource, locked. */
  readonly row: ResourceRow;
  readonly state: CertificateState;
}

/** The managed certificates of reserved domains and agent ingresses. Each change is a transaction with its events. */
export class ManagedCertificates {
  private readonly db: Database;
  private readonly store: ManagedResourceStore;
  private readonly schedule: BackoffSchedule;
  private readonly issueTimeoutMs: number;
  private readonly certificateWriter: ResourceWriter;
  private readonly writers: ReadonlyMap<string, ResourceWriter>;

  constructor(
    private readonly services: ResourceServices,
    config: Config,
    private readonly names: ServiceNames,
    private readonly baseUrl: Pick<BaseUrl, 'value'>,
    private readonly reader: Pick<CertificateReader, 'readPair'>,
  ) {
    this.db = services.db;
    this.store = new ManagedResourceStore(services.db);
    this.schedule = { baseMs: config.CERTIFICATE_BACKOFF_BASE_MS, capMs: config.CERTIFICATE_BACKOFF_CAP_MS };
    this.issueTimeoutMs = config.CERTIFICATE_ISSUE_TIMEOUT_MS;
    this.certificateWriter = new ResourceWriter(tlsCertificate, services);
    this.writers = new Map([
      [reservedDomain.name, new ResourceWriter(reservedDomain, services, new ReservedDomainBehaviour(names))],
      [agentIngress.name, new ResourceWriter(agentIngress, services, new AgentIngressBehaviour(names))],
    ]);
  }

  /** Lists the ids of the resources whose checks were due before a time, the earliest first. */
  listDue(before: Date, limit: number): Promise<readonly string[]> {
    return this.store.listDue(before, limit);
  }

  /** Returns null when there is no such resource, or no scheduled check. */
  async find(id: string): Promise<ManagedCertificate | null> {
    const row = await this.store.find(id);
    const provisioning = row && certificateStateOf(row.attributes)?.provisioning;
    if (!row || !provisioning?.due_at) return null;
    const overdue = provisioning.awaits === 'report' ? reportOverdue(this.issueTimeoutMs) : null;
    return { id, dueAt: provisioning.due_at, overdue, records: requiredRecords(row, this.names) };
  }

  /**
   * Records the result of a check; null: all records are in place. Does nothing after a concurrent change.
   * @returns when the next check is due, RFC 3339; null when nothing was recorded
   */
  async recordCheck({ id, dueAt }: ManagedCertificate, failure: Failure | null): Promise<string | null> {
    let nextAt: string | null = null;
    await this.change(id, async (change) => {
      const { state } = change;
      // A client changed the policy during the check, or another process recorded its check first.
      if (state.provisioning.due_at !== dueAt) return [];
      const now = new Date();
      const next = failure
        ? provisioningFailed(state, failure, this.schedule, now)
        : recordsVerified(state, this.issueTimeoutMs, now);
      nextAt = next.provisioning.due_at;
      return this.write(change, next);
    });
    return nextAt;
  }

  /**
   * Accepts one report. An issued certificate replaces the current one, and its renewal is scheduled. A failure sets
   * the status, and a retry is scheduled. A repeated report of the same certificate, and a failure without a
   * provisioning job, change nothing.
   * @param id of a reserved domain or an agent ingress
   * @throws Problem `not_found`; `conflict` when the certificate of the resource is not managed; `invalid_input` for an
   * invalid certificate or key (pointers `/issued/certificate_pem` and `/issued/private_key_pem`), or one that does not
   * cover the names of the resource, or whose key has another type than in the policy
   */
  async reportCertificate(id: string, report: CertificateReport): Promise<void> {
    if ('issued' in report) await this.recordIssued(id, report.issued);
    else await this.recordFailure(id, report.failed.message);
  }

  private async recordIssued(id: string, issued: IssuedCertificate): Promise<void> {
    const leaf = await this.reader.readPair(issued.certificate_pem, issued.private_key_pem).catch((error: unknown) => {
      throw withPointers(error, (pointer) => `/issued${pointer}`);
    });
    await this.change(id, async (change) => {
      const { trx, context, row } = change;
      const current = await this.currentCertificate(change);
      if (current?.attributes.fingerprint_sha256 === leaf.fingerprint) return [];
      this.assertCovers(row, change.writer, leaf);
      assertKeyType(row, leaf);
      const created = await this.certificateWriter.create(trx, context, {
        ...issued,
        issued_at: new Date().toISOString(),
        ...certificateFacts(leaf),
      });
      const destinationIds = await this.write(change, {
        ...certificateIssued(leaf),
        certificate_id: created.row.id,
      });
      const removed = current ? await this.removeUnused(change, current.id) : [];
      return [...created.destinationIds, ...destinationIds, ...removed];
    });
  }

  private async recordFailure(id: string, message: string): Promise<void> {
    await this.change(id, async (change) => {
      const { state } = change;
      // Nothing is provisioned: the report is late, or repeated.
      if (state.certificate_management_status.provisioning_job === null) return [];
      const failure = { code: 'INTERNAL_ERROR', message } as const;
      return this.write(change, provisioningFailed(state, failure, this.schedule, new Date()));
    });
  }

  /** Runs one change in a transaction, then notifies the dispatcher of the destinations that got events. */
  private async change(id: string, work: (change: Change) => Promise<readonly string[]>): Promise<void> {
    const resource = await this.store.find(id);
    if (!resource) throw notFound('reserved domain or agent ingress', id);
    const destinationIds = await this.db.transaction().execute(async (trx) => work(await this.open(trx, resource)));
    this.services.dispatcher.notify(destinationIds);
  }

  private async open(trx: Transaction, { id, kind, account_id }: ResourceRow): Promise<Change> {
    const context = systemContext(account_id, 'certificates', this.baseUrl.value);
    const writer = this.writers.get(kind);
    if (!writer) throw new Error(`Resource kind ${kind} has no managed certificates.`);
    const row = await new ResourceStore(trx).lock(writer.scope(context), id, 'update');
    if (!row) throw notFound(writer.definition.title.one, id);
    const state = certificateStateOf(row.attributes);
    if (state) return { trx, context, writer, row, state };
    const detail = `The certificate of the ${writer.definition.title.one} ${id} is not managed: the resource has no certificate_management_policy.`;
    throw new Problem('conflict', detail);
  }

  private async write(
    { trx, context, writer, row }: Change,
    attributes: Attributes | CertificateState,
  ): Promise<readonly string[]> {
    return (await writer.update(trx, context, row.id, () => ({ ...attributes }))).destinationIds;
  }

  private async currentCertificate({ trx, context, row }: Change): Promise<ResourceRow | undefined> {
    const { certificate_id: id } = row.attributes;
    if (typeof id !== 'string') return undefined;
    return new ResourceStore(trx).find(this.certificateWriter.scope(context), id);
  }

  /** @throws Problem `invalid_input` when the certificate does not cover every name that the resource needs */
  private assertCovers({ attributes }: ResourceRow, writer: ResourceWriter, leaf: Certificate): void {
    const domain = String(attributes.domain);
    const needed = writer.definition.name === agentIngress.name ? this.names.regionDomains(domain) : [domain];
    const missing = needed.filter((name) => !coversName(leaf.dnsNames, name));
    if (missing.length === 0) return;
    const detail = `must be a certificate for ${needed.map(echoed).join(', ')}: its DNS names do not cover ${missing.map(echoed).join(', ')}`;
    throw invalidInput([{ pointer: '/issued/certificate_pem', detail }]);
  }

  /** Deletes the previous certificate, unless other resources refer to it. */
  private async removeUnused({ trx, context }: Change, id: string): Promise<readonly string[]> {
    const referrers = await new ResourceStore(trx).referrers(id);
    return referrers.length === 0 ? this.certificateWriter.remove(trx, context, id) : [];
  }
}

/** @throws Problem `invalid_input` when the key of the certificate is not of the type in the policy of the resource */
function assertKeyType({ attributes }: ResourceRow, leaf: Certificate): void {
  const policy = certificatePolicyResponse.parse(attributes.certificate_management_policy);
  if (policy === null || leaf.keyType === policy.private_key_type) return;
  const detail = `must be a certificate with a key of the type ${policy.private_key_type}: its key is ${leaf.keyType}`;
  throw invalidInput([{ pointer: '/issued/certificate_pem', detail }]);
}
