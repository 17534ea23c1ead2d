import type { PoolClient } from 'pg';
import type { EventContext } from '../context.js';
import { listOf } from '../event-body.js';
import type { OutboxEvent } from '../event.js';
import { record } from '../record.js';
import { NoTransactionError, type OutboxTransactions } from './outbox-transactions.js';
import { PoolTransactions } from './pool-transactions.js';

/** Records events in the current transaction. Inject it into any provider or controller. */
export class OutboxRecorder {
  constructor(
    private readonly transactions: OutboxTransactions,
    private readonly context: (() => EventContext) | undefined,
  ) {}

  /** Runs `work` in the current transaction, or in a new one. An error of `work` rolls the transaction back. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.transactions.run(work);
  }

  /**
   * Returns the connection of the current transaction, of a module with a `pool`.
   * @throws NoTransactionError outside of a transaction
   */
  client(): PoolClient {
    if (!(this.transactions instanceof PoolTransactions))
      throw new Error('WaybillOutboxModule has no pool: get the connection from your own transactions.');
    const client = this.transactions.current();
    if (!client) throw new NoTransactionError();
    return client;
  }

  /**
   * Records events in the current transaction, with the context where they have no principal or request. Call it after
   * the statement that changes the resource.
   * @throws NoTransactionError outside of a transaction
   * @throws InvalidEventError, or the error of the database, for an event that Waybill would refuse
   */
  async record(events: OutboxEvent | readonly OutboxEvent[]): Promise<void> {
    const runner = this.transactions.current();
    if (!runner) throw new NoTransactionError();
    const context = this.context?.() ?? {};
    await record(
      runner,
      listOf(events).map((event) => ({ ...context, ...event })),
    );
  }
}
