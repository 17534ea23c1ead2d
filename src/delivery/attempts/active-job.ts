import { DelayedError } from 'bullmq';
import type { BatchDelivery } from '../lanes/batch-store.js';
import type { Lease, Settlement } from '../lanes/lane.js';
import { isJobOf, jobPriority, type BatchJob, type JobEvent } from '../queues/job.js';

/** A job that a worker is processing. */
export class ActiveJob {
  /** The batch that the job was added for. */
  readonly batch: { readonly destinationId: string; readonly batchId: string };

  /** @param token the token of the job's lock */
  constructor(
    private readonly job: BatchJob,
    private readonly token: string | undefined,
  ) {
    this.batch = { destinationId: job.data.destinationId, batchId: job.data.batchId };
  }

  /** Returns whether the job was added for this batch, also after the death of a worker. */
  isOf(batchId: string): boolean {
    return isJobOf(batchId, this.job.id);
  }

  /**
   * Delays the job by the lane's backoff, with the rest of its batch.
   * @throws DelayedError always
   */
  async retryLater(lease: Lease, events: readonly JobEvent[], settlement: Settlement): Promise<never> {
    const job = this.job;
    const { destinationId, batchId } = lease;
    if (events.length < job.data.events.length) await job.updateData({ destinationId, batchId, events });
    const { status, error, failures } = settlement;
    const priority = jobPriority(failures);
    // Without it, the job only runs earlier than it should.
    if (job.priority !== priority) await job.changePriority({ priority }).catch(() => undefined);
    // Shown on the dashboard only: the lane in Postgres decides.
    const progress = { status, code: error?.code ?? '', message: error?.message ?? '' };
    await job.updateProgress(progress).catch(() => undefined);
    return this.delay(settlement.delayMs ?? 0);
  }

  /**
   * Delays the job by so many milliseconds.
   * @throws DelayedError always: it tells BullMQ that the job has not ended
   */
  async delay(ms: number): Promise<never> {
    await this.job.moveToDelayed(Date.now() + ms, this.token);
    throw new DelayedError();
  }
}

/** The events of deliveries, as a job shows them. */
export function eventsOf(deliveries: readonly BatchDelivery[]): readonly JobEvent[] {
  return deliveries.map(({ event: { id, type, sequence } }) => ({ id, type, sequence }));
}
