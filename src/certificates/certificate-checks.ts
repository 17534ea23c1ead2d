import type { Logger } from '../logging/logger.js';
import { ThrottledLog } from '../logging/throttled-log.js';
import type { MaintenanceTask, TurnControl } from '../maintenance/maintenance.js';
import type { CertificateRegistry } from './certificate-registry.js';
import { checkRecords, nameResolver, type NameResolver } from './dns-records.js';

/** Most checks of a turn. */
const MOST_CHECKS = 500;

/** Concurrent checks of a turn: each mostly waits for a name server. */
const CONCURRENCY = 10;

/** Checks the DNS records of managed names when they are due. Two processes may check one name: one result counts. */
export class CertificateChecks implements MaintenanceTask {
  readonly name = 'certificates';
  /** The most that a check begins late, in milliseconds, while no other one waits for a name server. */
  readonly intervalMs = 2_000;
  private readonly errors: ThrottledLog;

  /** @param servers the name servers; undefined: those of the system */
  constructor(
    private readonly registry: CertificateRegistry,
    private readonly servers: readonly string[] | undefined,
    private readonly logger: Logger,
  ) {
    this.errors = new ThrottledLog(logger);
  }

  /** Makes the checks that are due. When `stopped` aborts, the checks under way end without a result. */
  async run({ stopped, progressed }: TurnControl): Promise<void> {
    const ids = (await this.registry.listDue(new Date(), MOST_CHECKS)).values();
    const resolver = nameResolver(this.servers);
    const cancel = (): void => resolver.cancel();
    stopped.addEventListener('abort', cancel);
    const work = async (): Promise<void> => {
      for (const id of ids) {
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
    const certificate = await this.registry.find(id);
    if (!certificate || new Date(certificate.dueAt) > new Date() || stopped.aborted) return;
    const failure = certificate.overdue ?? (certificate.records && (await checkRecords(resolver, certificate.records)));
    if (stopped.aborted) return;
    const next = await this.registry.recordCheck(certificate, failure);
    this.logger.info(
      { resource: id, outcome: failure?.code ?? 'ready', retries_at: next ?? undefined },
      'certificate checked',
    );
  }
}
