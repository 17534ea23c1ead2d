import type { QueryRunner } from '../query-runner.js';

/** The transactions of an application, for the recorder. */
export interface OutboxTransactions {
  /** Returns what runs queries in the current transaction; undefined outside of one. */
  current(): QueryRunner | undefined;
  /** Runs `work` in the current transaction, or in a new one, which an error of `work` rolls back. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Thrown where a transaction is needed, and there is none. Nothing was recorded. */
export class NoTransactionError extends Error {
  override readonly name = 'NoTransactionError';

  constructor() {
    super('There is no transaction: call this inside OutboxRecorder.transaction() or a method with @Audited().');
  }
}
