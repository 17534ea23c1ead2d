import type { Config } from '../config/config.js';
import type { Store } from '../database/store.js';
import type { Liveness } from '../health/liveness.js';
import { Maintenance } from '../maintenance/maintenance.js';
import type { Queues } from '../delivery/queues/queues.js';
import { backoffMs } from '../timing/backoff.js';
import { MaintenanceTaskStore } from '../maintenance/task-store.js';
import { ThrottledLog } from '../logging/throttled-log.js';
import type { Logger } from '../logging/logger.js';
import type { CertificateHolders } from './certificate-holders.js';
import type { CertificateJobData, CertificateJobs } from './certificate-jobs.js';
import { checkRecords, nameResolver, type NameResolver } from './dns-records.js';

/** Names that a process checks at once: each waits for a name server most of the time. */
const CONCURRENCY = 10;

/** A check takes some seconds; a dead worker's is repeated after this, in milliseconds. */
const LOCK_MS = 30_000;

/** Wait before a job runs again that failed through a fault of ours (a store that is down), in milliseconds. */
const FAULT_BACKOFF = { baseMs: 500, capMs: 30_000 };

/** How long a check may be overdue before its job is looked for, in milliseconds, and how many are in one sweep. */
const GRACE_MS = 3_000;
const SWEEP_LIMIT = 500;

/** What the worker works with. */
export interface CertificateWorkerParts {
  readonly config: Config;
  readonly store: Store;
  readonly queues: Queues;
  readonly jobs: CertificateJobs;
  readonly holders: CertificateHolders;
  /** Is told whether this worker gets anywhere. */
  readonly liveness?: Liveness | undefined;
  readonly logger: Logger;
}

/** A running worker. */
export interface CertificateWorker {
  /** Takes no more jobs; resolves when those under way have ended: some seconds at most. */
  stop(): Promise<void>;
}

/** Starts the worker that checks managed names, and the sweeper that finds those whose job was lost. */
export function startCertificateWorker(parts: CertificateWorkerParts): CertificateWorker {
  const { config, store, queues, jobs, holders, liveness, logger } = parts;
  const errors = new ThrottledLog(logger);
  const resolver = nameResolver(config.DNS_SERVERS);
  const worker = queues.sideWorker<CertificateJobData>(
    'certificates',
    async ({ id }) => {
      try {
        return await check(id, holders, resolver, logger);
      } catch (error) {
        errors.warn(error, 'a certificate could not be checked; it will be');
        throw error;
      }
    },
    {
      concurrency: CONCURRENCY,
      lockMs: LOCK_MS,
      backoffMs: (failures) => backoffMs(FAULT_BACKOFF, failures, 0),
    },
  );
  worker.run().catch((error: unknown) => errors.warn(error, 'the worker of certificates stopped'));
  const clock = setInterval(() => {
    if (worker.isRunning()) liveness?.loopRuns('the worker of certificates');
  }, 1_000);
  const maintenance = new Maintenance(new MaintenanceTaskStore(store.db), logger, liveness);
  maintenance.start({
    name: 'certificates',
    intervalMs: config.SWEEP_INTERVAL_MS,
    run: async () => {
      const overdue = await holders.due(new Date(Date.now() - GRACE_MS), SWEEP_LIMIT);
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

/** Checks one name if that is due. Gives the time of the next check, or null where something else has to happen first. */
async function check(
  id: string,
  holders: CertificateHolders,
  resolver: NameResolver,
  logger: Logger,
): Promise<Date | null> {
  const holder = await holders.find(id);
  if (!holder) return null;
  const dueAt = new Date(holder.dueAt);
  if (dueAt.getTime() > Date.now()) return dueAt;
  const failure = holder.records && (await checkRecords(resolver, holder.records));
  const next = await holders.checked(holder, failure);
  logger.info(
    { resource: id, outcome: failure?.code ?? 'ready', retries_at: next?.toISOString() },
    'certificate check',
  );
  return next;
}
