import type { TargetKind } from '../../targets/target.js';
import { withTimeout } from '../../timing/with-timeout.js';
import type { ClaimedBatch } from '../lanes/lane-store.js';
import { jobName, jobPriorities, jobPriority } from '../queues/job.js';
import type { Queues } from '../queues/queues.js';

/**
 * Longest time to add a job, in milliseconds: BullMQ waits without an end for a Redis that was never reached.
 */
const ADD_TIMEOUT_MS = 5_000;

/** State of a batch's job after `promote`. */
export type JobPresence =
  /** It waits in the queue. */
  | 'present'
  /** It waits in the queue behind the jobs of destinations that do not fail. */
  | 'behind'
  /** A worker is processing it, and may be about to delay it. */
  | 'active'
  | 'promoted'
  | 'missing';

/** The jobs of batches. A job has the id of its batch, so adding it twice adds one job. */
export class BatchJobs {
  constructor(private readonly queues: Queues) {}

  /**
   * Adds the job of a batch, unless it exists.
   * @param delayMs how long the job is delayed, in milliseconds
   * @throws what the queue store returns, and after a timeout: the job may still be added then, which is harmless
   */
  async add({ targetKind, destinationId, batchId, events, failures }: ClaimedBatch, delayMs = 0): Promise<void> {
    const data = { destinationId, batchId, events };
    const options = { jobId: batchId, delay: delayMs, priority: jobPriority(failures) };
    const added = this.queues.queue(targetKind).add(jobName(events), data, options);
    if (!(await withTimeout(added, ADD_TIMEOUT_MS)))
      throw new Error('the queue store did not respond: adding the job timed out');
  }

  /**
   * Promotes a batch's job when it is delayed, and removes it when it has ended, so that it can be added again.
   */
  async promote(targetKind: TargetKind, batchId: string): Promise<JobPresence> {
    const queue = this.queues.queue(targetKind);
    const state = await queue.getJobState(batchId);
    if (state === 'unknown') return 'missing';
    if (state === 'active') return 'active';
    if (state === 'prioritized') return 'behind';
    if (state !== 'delayed' && state !== 'completed' && state !== 'failed') return 'present';
    const job = await queue.getJob(batchId);
    if (!job) return 'missing';
    if (state === 'delayed') {
      try {
        await job.promote();
        return 'promoted';
      } catch (error) {
        // The job came due, or another process promoted it, after its state was read.
        if ((await queue.getJobState(batchId)) === 'delayed') throw error;
        return 'present';
      }
    }
    await job.remove();
    return 'missing';
  }

  /** Gives a batch's job the priority of destinations that do not fail, and promotes it. */
  async resume(targetKind: TargetKind, batchId: string): Promise<JobPresence> {
    await this.raise(targetKind, batchId);
    return this.promote(targetKind, batchId);
  }

  /**
   * Gives a batch's job the priority of destinations that do not fail. Nothing happens when there is no such job.
   */
  async raise(targetKind: TargetKind, batchId: string): Promise<void> {
    const job = await this.queues.queue(targetKind).getJob(batchId);
    if (job && job.priority !== jobPriorities.first) await job.changePriority({ priority: jobPriorities.first });
  }
}
