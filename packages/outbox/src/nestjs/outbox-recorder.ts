import { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient } from 'pg';
import { setContext, type EventContext } from '../context.js';
import { listOf } from '../event-body.js';
import type { OutboxEvent } from '../event.js';
import { assertCommittable, orFailTransaction } from '../fail-transaction.js';
import type { QueryRunner } from '../query-runner.js';
import { recordChange, type RecordedTable, type RowId } from '../record-change.js';
import { record } from '../record.js';
import type { OutboxTransactions } from '../transactions.js';
import { NoTransactionError } from './no-transaction-error.js';

/** A transaction of the recorder. */
interface Scope {
  /** The error of a part of it, which its caller may have caught. */
  failure: { readonly cause: unknown } | null;
}

/** Records events in the current transaction. Inject it into any provider or controller. */
export class OutboxRecorder<Client = PoolClient> {
  private readonly scopes = new AsyncLocalStorage<Scope>();

  constructor(
    private readonly transactions: OutboxTransactions,
    private readonly context: () => EventContext,
  ) {}

  /**
   * Runs `work` in the current transaction, or in a new one, which an error of `work` rolls back. An error of `work` in
   * the current one makes it impossible to commit, also if the error is caught: no change of it would have its event.
   */
  async transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!this.transactions.current()) return this.transactions.run(() => this.inScope(work));
    return this.transactions.run(() => this.orFail(() => (this.scopes.getStore() ? work() : this.inScope(work))));
  }

  /**
   * Returns the current transaction as the library has it: a client of the pool, an EntityManager of TypeORM, …
   * @throws NoTransactionError outside of a transaction
   */
  client(): Client {
    if (!this.transactions.client)
      throw new Error('The transactions of WaybillOutboxModule have no client(): use those of your library.');
    const client = this.transactions.client();
    if (client === undefined) throw new NoTransactionError();
    // The application names the type of its library.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return client as Client;
  }

  /**
   * Records events in the current transaction, with the context where they have no principal or request. Call it after
   * the statement that changes the resource.
   * @throws NoTransactionError outside of a transaction
   * @throws InvalidEventError, or the error of the database, for an event that Waybill would refuse
   */
  async record(events: OutboxEvent | readonly OutboxEvent[]): Promise<void> {
    await this.orFail((runner) => {
      const context = this.context();
      return record(
        runner,
        listOf(events).map((event) => ({
          ...event,
          principal: event.principal ?? context.principal,
          request: event.request ?? context.request,
        })),
      );
    });
  }

  /**
   * Runs `work`, which changes one row, in the current transaction or in a new one, and records what has changed.
   * @param id of the row; or, for a new row and not for an upsert, a function that returns it from the result of `work`
   * @returns the result of `work`
   * @throws the error of `work` or of the database
   */
  recordChange<Result>(
    table: RecordedTable,
    id: RowId | ((result: Result) => RowId),
    work: () => Promise<Result>,
  ): Promise<Result> {
    return this.transaction(() => recordChange(this.runner(), table, id, work));
  }

  private runner(): QueryRunner {
    const runner = this.transactions.current();
    if (!runner) throw new NoTransactionError();
    return runner;
  }

  private async orFail<Result>(work: (runner: QueryRunner) => Promise<Result>): Promise<Result> {
    const runner = this.runner();
    try {
      return await orFailTransaction(runner, () => work(runner));
    } catch (error) {
      const scope = this.scopes.getStore();
      if (scope) scope.failure ??= { cause: error };
      throw error;
    }
  }

  private inScope<Result>(work: () => Promise<Result>): Promise<Result> {
    const scope: Scope = { failure: null };
    return this.scopes.run(scope, async () => {
      const runner = this.runner();
      const context = this.context();
      if (context.principal ?? context.request) await setContext(runner, context);
      const result = await work();
      // A savepoint may have undone the failed part.
      if (scope.failure)
        await assertCommittable(runner).catch(() => {
          throw new Error('The transaction was rolled back, because a part of it failed.', scope.failure ?? {});
        });
      return result;
    });
  }
}
