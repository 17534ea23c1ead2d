import type { IQueueBackend, Job, Queue } from 'bullmq';

/** One event of a batch, in the data of its job. */
export interface JobEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
}

/**
 * The data of a batch job: the ids of its destination and batch, and the batch's events for the dashboard. No payloads
 * and no secrets: the worker loads the batch from Postgres.
 */
export interface BatchJobData {
  readonly destinationId: string;
  readonly batchId: string;
  readonly events: readonly JobEvent[];
}

/** The result of a job, for the dashboard. */
export interface BatchJobResult {
  readonly outcome: string;
  readonly delivered: number;
}

export type BatchJob = Job<BatchJobData, BatchJobResult>;
export type BatchQueue = Queue<
  BatchJobData,
  BatchJobResult,
  string,
  BatchJobData,
  BatchJobResult,
  string,
  IQueueBackend
>;

/** Attempts without a delivery after which the jobs of a destination run behind those of the others. */
const BEHIND_AFTER_FAILURES = 3;

/** BullMQ's priorities: a job with 0 runs before every job with a higher number. */
export const jobPriorities = { first: 0, behind: 1 } as const;

/**
 * Returns the priority of a lane's job. The jobs of destinations that have failed a few times run when no other job
 * waits: there may be thousands, which come due together after a restart.
 * @param failures consecutive attempts in the lane that delivered nothing
 */
export function jobPriority(failures: number): number {
  return failures < BEHIND_AFTER_FAILURES ? jobPriorities.first : jobPriorities.behind;
}

/** Returns the name of a batch's job: the type of its events, or `mixed`. */
export function jobName(events: readonly JobEvent[]): string {
  const types = new Set(events.map(({ type }) => type));
  const [only] = types;
  return types.size === 1 && only !== undefined ? only : 'mixed';
}

/** Returns the id of another job for a batch, which is added because the worker that has the batch's job has died. */
export function jobIdAfter(death: string, batchId: string): string {
  return `${batchId}.${death}`;
}

/** Whether a job was added for this batch, also after the death of a worker. */
export function isJobOf(batchId: string, jobId: string | undefined): boolean {
  return jobId === batchId || jobId?.startsWith(`${batchId}.`) === true;
}
