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

/** Returns the name of a batch's job: the type of its events, or `mixed`. */
export function jobName(events: readonly JobEvent[]): string {
  const types = new Set(events.map(({ type }) => type));
  const [only] = types;
  return types.size === 1 && only !== undefined ? only : 'mixed';
}
