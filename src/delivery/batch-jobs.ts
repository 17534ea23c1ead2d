import type { TargetKind } from '../targets/target.js';
import type { ClaimedBatch } from './lane-store.js';
import { jobName } from './queues/job.js';
import type { Queues } from './queues/queues.js';

/** What became of a job that is wanted now. */
export type JobPresence = 'present' | 'hurried' | 'missing';

/** The jobs of batches. The id of a job is the id of its batch, so adding one twice adds one. */
export class BatchJobs {
  readonly #queues: Queues;

  constructor(queues: Queues) {
    this.#queues = queues;
  }

  /** Adds the job of a batch; no change when it is there already. Throws what the queue store answers. */
  async add({ targetKind, destinationId, batchId, events }: ClaimedBatch): Promise<void> {
    await this.#queues
      .queue(targetKind)
      .add(jobName(events), { destinationId, batchId, events }, { jobId: batchId });
  }

  /**
   * Makes sure that a batch's job runs as soon as there is room: a delayed one is promoted, and one that has ended is removed
   * so that it can be added again.
   */
  async hurry(targetKind: TargetKind, batchId: string): Promise<JobPresence> {
    const queue = this.#queues.queue(targetKind);
    const state = await queue.getJobState(batchId);
    if (state === 'unknown') return 'missing';
    if (state !== 'delayed' && state !== 'completed' && state !== 'failed') return 'present';
    const job = await queue.getJob(batchId);
    if (!job) return 'missing';
    if (state === 'delayed') {
      await job.promote();
      return 'hurried';
    }
    await job.remove();
    return 'missing';
  }
}
