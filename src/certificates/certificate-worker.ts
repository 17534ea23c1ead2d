import type { Config } from '../config/config.js';
import type { Store } from '../database/store.js';
import type { Queues } from '../delivery/queues/queues.js';
import type { Liveness } from '../health/liveness.js';
import type { Logger } from '../logging/logger.js';
import { ThrottledLog } from '../logging/throttled-log.js';
import { Maintenance } from '../maintenance/maintenance.js';
import { MaintenanceTaskStore } from '../maintenance/task-store.js';
import { backoffMs } from '../timing/backoff.js';
import type { CertificateJobData, CertificateJobs } from './certificate-jobs.js';
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

/**
 * How long a check may be overdue before a sweep queues it, in milliseconds, and most checks of one sweep.
 */
const GRACE_MS = 3_000;
const SWEEP_LIMIT = 500;

/** Dependencies of the certificate worker. */
export interface CertificateWorkerParts {
  readonly config: Config;
  readonly store: Store;
  readonly queues: Queues;
  readonly jobs: CertificateJobs;
  readonly registry: CertificateRegistry;
  readonly liveness?: Liveness | undefined;
  readonly logger: Logger;
}

/** A running worker. */
export interface CertificateWorker {
  /** Stops taking jobs. Resolves when the active jobs have ended, after some seconds at most. */
  stop(): Promise<void>;
}

/** Starts the worker that checks DNS records, and the sweeper that queues overdue checks again. */
export function startCertificateWorker(parts: CertificateWorkerParts): CertificateWorker {
  const { config, store, queues, jobs, registry, liveness, logger } = parts;
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
  const clock = setInterval(() => {
    if (worker.isRunning()) liveness?.loopRuns('the certificate worker');
  }, 1_000);
  const maintenance = new Maintenance(new MaintenanceTaskStore(store.db), logger, liveness);
  maintenance.start({
    name: 'certificates',
    intervalMs: config.SWEEP_INTERVAL_MS,
    run: async () => {
      const overdue = await registry.listDue(new Date(Date.now() - GRACE_MS), SWEEP_LIMIT);
      for (const { id, dueAt } of overdue) jobs.schedule(id, dueAt);
    },
  });
  return {
    async stop() {
      clearInterval(clock);
      await Promise.all([maintenance.stop(), worker.close()]);
    },
  };
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
