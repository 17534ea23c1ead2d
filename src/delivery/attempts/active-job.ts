import { DelayedError } from 'bullmq';
import type { BatchDelivery } from '../lanes/batch-store.js';
import type { Lease, Settlement } from '../lanes/lane.js';
import type { BatchJob, JobEvent } from '../queues/job.js';

/** A job while a worker runs it: what it shows to people of the batch that it is at, and how it is put off. */
export class ActiveJob {
  /** The batch that the job began with. */
  readonly batch: { readonly destinationId: string; readonly batchId: string };

  /** @param token proves to the queue store that the job is still this worker's */
  constructor(
    private readonly job: BatchJob,
    private readonly token: string | undefined,
  ) {
    this.batch = { destinationId: job.data.destinationId, batchId: job.data.batchId };
  }

  /** Whether the job is that of this batch: it is found by the batch's id then, at a resume for instance. */
  isOf(batchId: string): boolean {
    return this.job.id === batchId;
  }

  /**
   * Lets the job show the batch that it is at. Nobody waits for it: a worker's connection to a Redis that is away gives no answer until
   * that is back, and what was sent must be recorded meanwhile. What does not show is in Postgres all the same.
   */
  show({ destinationId, batchId }: Lease, deliveries: readonly BatchDelivery[]): void {
    const job = this.job;
    if (job.data.batchId === batchId) return;
    job.updateData({ destinationId, batchId, events: eventsOf(deliveries) }).catch(() => undefined);
  }

  /**
   * Puts the job off with what is left of its batch, and lets it show why.
   * @throws DelayedError when it is done
   */
  async waitWith(lease: Lease, events: readonly JobEvent[], settlement: Settlement): Promise<never> {
    const job = this.job;
    const { destinationId, batchId } = lease;
    if (events.length < job.data.events.length) await job.updateData({ destinationId, batchId, events });
    const { status, error } = settlement;
    // For people who look at the job and ask why it waits; what counts is in the lane.
    const why = { status, code: error?.code ?? '', message: error?.message ?? '' };
    await job.updateProgress(why).catch(() => undefined);
    return this.delay(settlement.delayMs ?? 0);
  }

  /**
   * Puts the job off for so many milliseconds.
   * @throws DelayedError when it is done: it tells BullMQ that the job has not ended
   */
  async delay(ms: number): Promise<never> {
    await this.job.moveToDelayed(Date.now() + ms, this.token);
    throw new DelayedError();
  }
}

/** What a job shows of its batch. */
export function eventsOf(deliveries: readonly BatchDelivery[]): readonly JobEvent[] {
  return deliveries.map(({ event: { id, type, sequence } }) => ({ id, type, sequence }));
}
