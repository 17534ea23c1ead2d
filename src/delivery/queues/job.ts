import type { IQueueBackend, Job, Queue } from 'bullmq';

/** One event of a batch as its job shows it. */
export interface JobEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
}

/**
 * The data of a batch job: which batch of which destination, and what is in it for people to see. No payloads, no secrets:
 * the worker loads the events of the batch from Postgres, where the truth is.
 */
export interface BatchJobData {
  readonly destinationId: string;
  readonly batchId: string;
  readonly events: readonly JobEvent[];
}

/** What a job ended as, for people to see. */
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

/** The name of a batch's job: the type of its events, or `mixed`. */
export function jobName(events: readonly JobEvent[]): string {
  const types = new Set(events.map(({ type }) => type));
  const [only] = types;
  return types.size === 1 && only !== undefined ? only : 'mixed';
}
