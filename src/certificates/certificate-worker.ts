import type { Config } from '../config/config.js';
import type { Queues, SideWorker } from '../delivery/queues/queues.js';
import type { Liveness } from '../health/liveness.js';
import type { Runner } from '../lifecycle/lifecycle.js';
import type { Logger } from '../logging/logger.js';
import { ThrottledLog } from '../logging/throttled-log.js';
import { backoffMs } from '../timing/backoff.js';
import type { CertificateJobData } from './certificate-jobs.js';
import type { CertificateRegistry } from './certificate-registry.js';
import { checkRecords, nameResolver, type NameResolver } from './dns-records.js';

/** Concurrent checks of a process: each mostly waits for a name server. */
const CONCURRENCY = 10;

/**
 * Lock of a job, in milliseconds: a check takes some seconds, and a dead worker's check is repeated after it.
 */
const LOCK_MS = 30_000;

/** Backoff of a job that failed for an internal reason, such as a store that is down, in milliseconds. */
const FAULT_BACKOFF = { baseMs: 500, capMs: 30_000 };

/** Dependencies of the certificate worker. */
export interface CertificateWorkerParts {
  readonly config: Pick<Config, 'DNS_SERVERS'>;
  readonly queues: Queues;
  readonly registry: CertificateRegistry;
  readonly liveness: Liveness;
  readonly logger: Logger;
}

/** The worker that checks the DNS records of managed names. */
export class CertificateWorker implements Runner {
  private worker: SideWorker<CertificateJobData> | undefined;
  private clock: NodeJS.Timeout | undefined;

  constructor(private readonly parts: CertificateWorkerParts) {}

  start(): void {
    const { config, queues, registry, liveness, logger } = this.parts;
    const errors = new ThrottledLog(logger);
    const resolver = nameResolver(config.DNS_SERVERS);
    const worker = queues.sideWorker<CertificateJobData>(
      'certificates',
      async ({ id }) => {
        try {
          return await check(id, registry, resolver, logger);
        } catch (error) {
          errors.warn(error, 'certificate check failed; it will be retried', { resource: id });
          throw error;
        }
      },
      {
        concurrency: CONCURRENCY,
        lockMs: LOCK_MS,
        backoffMs: (failures) => backoffMs(FAULT_BACKOFF, failures, 0),
      },
    );
    worker.run().catch((error: unknown) => errors.warn(error, 'certificate worker stopped'));
    this.clock = setInterval(() => {
      if (worker.isRunning()) liveness.loopRuns('the certificate worker');
    }, 1_000);
    this.worker = worker;
  }

  /** Stops taking jobs. Resolves when the active jobs have ended, after some seconds at most. */
  async stop(): Promise<void> {
    clearInterval(this.clock);
    await this.worker?.close();
  }
}

/** Runs one check if it is due. Returns the time of the next check, or null when none is scheduled. */
async function check(
  id: string,
  registry: CertificateRegistry,
  resolver: NameResolver,
  logger: Logger,
): Promise<Date | null> {
  const certificate = await registry.find(id);
  if (!certificate) return null;
  const dueAt = new Date(certificate.dueAt);
  if (dueAt.getTime() > Date.now()) return dueAt;
  const failure = certificate.overdue ?? (certificate.records && (await checkRecords(resolver, certificate.records)));
  const next = await registry.recordCheck(certificate, failure);
  logger.info(
    { resource: id, outcome: failure?.code ?? 'ready', retries_at: next?.toISOString() },
    'certificate checked',
  );
  return next;
}
