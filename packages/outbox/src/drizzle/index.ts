import { sql, type SQL } from 'drizzle-orm';
import { boundTo } from '../bound-to.js';
import type { EventContext } from '../context.js';
import type { QueryRunner } from '../query-runner.js';
import { CarriedTransactions, runInTransaction, type OutboxTransactions } from '../transactions.js';

/** What the functions use of a transaction of Drizzle. */
export interface DrizzleTransaction {
  execute(query: SQL): PromiseLike<unknown>;
}

/** What the functions use of a database of Drizzle for Postgres. */
export interface DrizzleDatabase<Transaction extends DrizzleTransaction> {
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}

export const { record, recordChange, setContext } = boundTo(runnerOf);

/**
 * Runs `work` in a transaction, and commits. Rolls back if `work` throws.
 * @param context who makes the changes, for triggers and for events without `principal` or `request`
 * @throws the error of `work` or of the database; also if a statement has failed and `work` has caught its error
 */
export function transaction<Transaction extends DrizzleTransaction, Result>(
  db: DrizzleDatabase<Transaction>,
  context: EventContext,
  work: (tx: Transaction) => PromiseLike<Result>,
): Promise<Result> {
  return runInTransaction((begun) => db.transaction(begun), runnerOf, context, work);
}

/** Returns the transactions of a database, for the module of `@waybill/outbox/nestjs`. */
export function transactions<Transaction extends DrizzleTransaction>(
  db: DrizzleDatabase<Transaction>,
): OutboxTransactions {
  return new CarriedTransactions((work) => transaction(db, {}, work), runnerOf);
}

function runnerOf(tx: DrizzleTransaction): QueryRunner {
  return (text, values) => tx.execute(withParameters(text, values));
}

/** The parameters of `text` occur in their order, each once. */
function withParameters(text: string, values: readonly unknown[]): SQL {
  const chunks = text.split(/\$\d+/).map((part) => sql.raw(part));
  return sql.join(chunks.flatMap((chunk, index) => (index === 0 ? [chunk] : [sql`${values[index - 1]}`, chunk])));
}
