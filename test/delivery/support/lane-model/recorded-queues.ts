import type { BatchJobData } from '../../../../src/delivery/queues/job.js';
import type { Queues } from '../../../../src/delivery/queues/queues.js';

interface AddedJob {
  readonly data: BatchJobData;
}

/** The jobs of batches, in memory: what BullMQ does with them has its own tests. */
export class RecordedQueues {
  /** The batches that have a job. */
  readonly jobs = new Map<string, BatchJobData>();

  /** Returns the queues for a dispatcher: the same jobs for each kind of target. */
  asQueues(): Queues {
    return { queue: () => this } as unknown as Queues;
  }

  async add(_name: string, data: BatchJobData): Promise<AddedJob> {
    this.jobs.set(data.batchId, data);
    return { data };
  }

  async addBulk(added: readonly AddedJob[]): Promise<readonly AddedJob[]> {
    for (const { data } of added) this.jobs.set(data.batchId, data);
    return added;
  }

  async getJobState(batchId: string): Promise<string> {
    return this.jobs.has(batchId) ? 'waiting' : 'unknown';
  }

  /** The model's workers look at every job: no job has to be promoted or raised. */
  async getJob(): Promise<undefined> {
    return undefined;
  }
}
