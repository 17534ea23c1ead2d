import { checkRecords, nameResolver, type NameResolver } from '../../certificates/dns-records.js';
import type { Config } from '../../config/config.js';
import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import type { ManagedCertificates } from './managed-certificates.js';

/** Most checks of a turn. */
const MOST_CHECKS = 500;

/** Concurrent checks of a turn: each mostly waits for a name server. */
const CONCURRENCY = 10;

/** Checks the DNS records of managed names when they are due. Two processes may check one name: one result counts. */
export class CertificateChecks implements MaintenanceTask {
  readonly name = 'certificates';
  /** A check begins at most this late, in milliseconds, unless another one waits for a name server. */
  readonly intervalMs = 2_000;
  private readonly errors: ThrottledLog;

  constructor(
    private readonly certificates: ManagedCertificates,
    private readonly config: Pick<Config, 'DNS_SERVERS'>,
    private readonly logger: Logger,
  ) {
    this.errors = new ThrottledLog(logger);
  }

  /** Makes the checks that are due. When `stopped` aborts, the checks under way end without a result. */
  async run({ stopped, progressed }: TurnControl): Promise<void> {
    const due = await this.certificates.listDue(new Date(), MOST_CHECKS);
    // Turns of several processes may overlap: each has an order of its own, so that few of their checks are the same.
    const ids = due
      .map((id) => ({ id, at: Math.random() }))
      .toSorted((a, b) => a.at - b.at)
      .values();
    const resolver = nameResolver(this.config.DNS_SERVERS);
    const cancel = (): void => resolver.cancel();
    stopped.addEventListener('abort', cancel);
    const work = async (): Promise<void> => {
      for (const { id } of ids) {
        if (stopped.aborted) return;
        await this.tryCheck(id, resolver, stopped);
        progressed();
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    stopped.removeEventListener('abort', cancel);
  }

  private async tryCheck(id: string, resolver: NameResolver, stopped: AbortSignal): Promise<void> {
    try {
      await this.check(id, resolver, stopped);
    } catch (error) {
      this.errors.warn(error, 'certificate check failed; it will be retried', { resource: id });
    }
  }

  private async check(id: string, resolver: NameResolver, stopped: AbortSignal): Promise<void> {
    const certificate = await this.certificates.find(id);
    if (!certificate || new Date(certificate.dueAt) > new Date() || stopped.aborted) return;
    const failure = certificate.overdue ?? (certificate.records && (await checkRecords(resolver, certificate.records)));
    if (stopped.aborted) return;
    const next = await this.certificates.recordCheck(certificate, failure);
    if (next === null) return;
    this.logger.info({ resource: id, outcome: failure?.code ?? 'ready', retries_at: next }, 'certificate checked');
  }
}
