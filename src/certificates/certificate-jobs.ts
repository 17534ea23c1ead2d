import type { Queues, SideQueue } from '../delivery/queues/queues.js';
import type { Logger } from '../logging/logger.js';
import { ThrottledLog } from '../logging/throttled-log.js';

/** The data of a job: the id of the resource. Everything else is in Postgres. */
export interface CertificateJobData {
  readonly id: string;
}

/**
 * The jobs that check the DNS records of managed certificates: at most one for each resource, with the id of the
 * resource. A job that cannot be added is not lost: the sweeper finds overdue checks in Postgres.
 */
export class CertificateJobs {
  private readonly queue: SideQueue<CertificateJobData>;
  private readonly errors: ThrottledLog;
  private readonly adding = new Set<Promise<void>>();

  constructor(queues: Queues, logger: Logger) {
    this.queue = queues.side('certificates');
    this.errors = new ThrottledLog(logger);
  }

  /** Schedules a job for `at`; null: does nothing. Returns at once and never throws. */
  schedule(id: string, at: Date | null): void {
    if (at === null) return;
    const added = this.addJob(id, at)
      .catch((error: unknown) => {
        this.errors.warn(error, 'certificate check not queued; the sweeper will queue it', { resource: id });
      })
      .finally(() => this.adding.delete(added));
    this.adding.add(added);
  }

  /** Resolves when every scheduled job has been added, or has failed to be added. */
  async idle(): Promise<void> {
    await Promise.all(this.adding);
  }

  private async addJob(id: string, at: Date): Promise<void> {
    const delay = Math.max(0, at.getTime() - Date.now());
    const job = await this.queue.getJob(id);
    if (!job) await this.queue.add('check', { id }, { jobId: id, delay });
    else if (await job.isDelayed()) await job.changeDelay(delay);
    // An active or waiting job needs no change: it reads the due time from Postgres.
  }
}
