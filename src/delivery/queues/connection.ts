import type { BackendFactory, WorkerOptions } from 'bullmq';

/** A connection to the queue store: the options of its queues and workers. */
export interface QueueConnection {
  readonly backend: 'redis' | 'postgres';
  readonly factory: BackendFactory;
  readonly queueOptions: Pick<WorkerOptions, 'connection' | 'prefix'>;
  /** Opens the workers' connection at its first call: a process without workers needs none. */
  workerOptions(): Pick<WorkerOptions, 'connection' | 'prefix'>;
  /** Whether the store was reached since the process started. */
  wasReached(): boolean;
  close(): Promise<void>;
}
