import type { BackendFactory, WorkerOptions } from 'bullmq';

/** What a backend gives: the options that every queue and worker is made with, and its own end. */
export interface QueueConnection {
  readonly backend: 'redis' | 'postgres';
  readonly factory: BackendFactory;
  readonly queueOptions: Pick<WorkerOptions, 'connection' | 'prefix'>;
  /** Connects for workers at its first call: a process without workers needs no connection for them. */
  workerOptions(): Pick<WorkerOptions, 'connection' | 'prefix'>;
  close(): Promise<void>;
}
