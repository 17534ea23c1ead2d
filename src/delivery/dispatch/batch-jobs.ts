import type { TargetKind } from '../../targets/target.js';
import { withTimeout } from '../../timing/with-timeout.js';
import type { ClaimedBatch } from '../lanes/lane-store.js';
import { jobIdAfter, jobName, jobPriorities, jobPriority } from '../queues/job.js';
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
  async add(batch: ClaimedBatch, delayMs = 0): Promise<void> {
    const { name, data, opts } = jobOf(batch, delayMs);
    await inTime(this.queues.queue(batch.targetKind).add(name, data, opts));
  }

  /**
   * Adds the jobs of batches of one kind of target in one round trip, unless they exist.
   * @throws as `add`; some of the jobs may be added then
   */
  async addAll(kind: TargetKind, batches: readonly ClaimedBatch[]): Promise<void> {
    const [only, ...others] = batches;
    if (only && others.length === 0) await this.add(only);
    else await inTime(this.queues.queue(kind).addBulk(batches.map((batch) => jobOf(batch, 0))));
  }

  /**
   * Adds another job of a batch, because the worker that has its job has died. Its retries run in the other job. The
   * batch's own job, when its lock has ended, finds nothing to do or waits for the lease or the backoff.
   * @param death names the death: the batch gets one job for each
   * @throws as `add`
   */
  async addAfter(death: string, batch: ClaimedBatch): Promise<void> {
    const { name, data, opts } = jobOf(batch, 0);
    await inTime(
      this.queues.queue(batch.targetKind).add(name, data, { ...opts, jobId: jobIdAfter(death, batch.batchId) }),
    );
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

function jobOf({ destinationId, batchId, events, failures }: ClaimedBatch, delayMs: number) {
  const opts = { jobId: batchId, delay: delayMs, priority: jobPriority(failures) };
  return { name: jobName(events), data: { destinationId, batchId, events }, opts };
}

async function inTime(added: Promise<unknown>): Promise<void> {
  if ((await withTimeout(added, ADD_TIMEOUT_MS)) === undefined)
    throw new Error('the queue store did not respond: adding jobs timed out');
}
