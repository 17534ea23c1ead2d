import type { Queues, SideQueue } from '../delivery/queues/queues.js';
import { ThrottledLog } from '../logging/throttled-log.js';
import type { Logger } from '../logging/logger.js';

/** The data of a job: what to check. Everything else is in Postgres. */
export interface CertificateJobData {
  readonly id: string;
}

/**
 * The jobs that check managed names, one for each at most: its id is the resource's. A job that cannot be added is no loss:
 * the sweeper finds in Postgres what is due.
 */
export class CertificateJobs {
  private readonly queue: SideQueue<CertificateJobData>;
  private readonly errors: ThrottledLog;
  private readonly adding = new Set<Promise<void>>();

  constructor(queues: Queues, logger: Logger) {
    this.queue = queues.side('certificates');
    this.errors = new ThrottledLog(logger);
  }

  /** Sees to it that a job runs at that time. Returns at once and never throws. Null: nothing to do. */
  schedule(id: string, at: Date | null): void {
    if (at === null) return;
    const added = this.addJob(id, at)
      .catch((error: unknown) => {
        this.errors.warn(error, 'the job of a certificate could not be added; the sweeper will do it');
      })
      .finally(() => this.adding.delete(added));
    this.adding.add(added);
  }

  /** Resolves when everything that was scheduled has been handed over. */
  async idle(): Promise<void> {
    await Promise.all(this.adding);
  }

  private async addJob(id: string, at: Date): Promise<void> {
    const delay = Math.max(0, at.getTime() - Date.now());
    const job = await this.queue.getJob(id);
    if (!job) await this.queue.add('check', { id }, { jobId: id, delay });
    else if (await job.isDelayed()) await job.changeDelay(delay);
    // One that runs looks in Postgres when it ends; one that waits will look when it begins.
  }
}
