/** Thrown where a transaction is needed, and there is none. Nothing was recorded. */
export class NoTransactionError extends Error {
  override readonly name = 'NoTransactionError';

  constructor() {
    super('There is no transaction: call this inside OutboxRecorder.transaction() or a method with @Audited().');
  }
}
