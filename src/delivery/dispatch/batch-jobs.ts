import type { TargetKind } from '../../targets/target.js';
import { withTimeout } from '../../timing/with-timeout.js';
import type { ClaimedBatch } from '../lanes/lane-store.js';
import { jobName } from '../queues/job.js';
import type { Queues } from '../queues/queues.js';

/** Longest that adding a job may take, in milliseconds. A Redis that was never there yet is waited for without an end. */
const ADD_TIMEOUT_MS = 5_000;

/** What became of a job that is wanted now. */
export type JobPresence =
  /** It waits its turn. */
  | 'present'
  /** A worker has it, and may be about to delay it. */
  | 'active'
  | 'promoted'
  | 'missing';

/** The jobs of batches. The id of a job is the id of its batch, so adding one twice adds one. */
export class BatchJobs {
  constructor(private readonly queues: Queues) {}

  /**
   * Adds the job of a batch; no change when it is there already. Throws what the queue store answers, and when it does not
   * answer in time: the job may be added all the same then, which does no harm.
   * @param delayMs how long the job waits before it runs, in milliseconds
   */
  async add({ targetKind, destinationId, batchId, events }: ClaimedBatch, delayMs = 0): Promise<void> {
    const data = { destinationId, batchId, events };
    const options = { jobId: batchId, delay: delayMs };
    const added = this.queues.queue(targetKind).add(jobName(events), data, options);
    if (!(await withTimeout(added, ADD_TIMEOUT_MS))) throw new Error('the queue store does not answer');
  }

  /**
   * Makes sure that a batch's job runs as soon as there is room: a delayed one is promoted, and one that has ended is removed
   * so that it can be added again.
   */
  async promote(targetKind: TargetKind, batchId: string): Promise<JobPresence> {
    const queue = this.queues.queue(targetKind);
    const state = await queue.getJobState(batchId);
    if (state === 'unknown') return 'missing';
    if (state === 'active') return 'active';
    if (state !== 'delayed' && state !== 'completed' && state !== 'failed') return 'present';
    const job = await queue.getJob(batchId);
    if (!job) return 'missing';
    if (state === 'delayed') {
      try {
        await job.promote();
        return 'promoted';
      } catch (error) {
        // It came due, or somebody else promoted it, between our look and our word.
        if ((await queue.getJobState(batchId)) === 'delayed') throw error;
        return 'present';
      }
    }
    await job.remove();
    return 'missing';
  }
}
