import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import { boundTo } from '../bound-to.js';
import type { EventContext } from '../context.js';
import type { QueryRunner } from '../query-runner.js';
import { CarriedTransactions, runInTransaction, type OutboxTransactions } from '../transactions.js';

export const { record, recordChange, setContext } = boundTo(runnerOf);

/**
 * Runs `work` in a transaction, and commits. Rolls back if `work` throws.
 * @param context who makes the changes, for triggers and for events without `principal` or `request`
 * @throws the error of `work` or of the database; also if a statement has failed and `work` has caught its error
 */
export function transaction<Tables, Result>(
  db: Kysely<Tables>,
  context: EventContext,
  work: (trx: Transaction<Tables>) => PromiseLike<Result>,
): Promise<Result> {
  return runInTransaction((begun) => db.transaction().execute(begun), runnerOf, context, work);
}

/** Returns the transactions of a database, for the module of `@waybill/outbox/nestjs`. */
export function transactions<Tables>(db: Kysely<Tables>): OutboxTransactions {
  return new CarriedTransactions((work) => transaction(db, {}, work), runnerOf);
}

function runnerOf(trx: { executeQuery(query: CompiledQuery): Promise<unknown> }): QueryRunner {
  return (text, values) => trx.executeQuery(CompiledQuery.raw(text, values));
}
