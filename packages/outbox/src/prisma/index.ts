import { boundTo } from '../bound-to.js';
import type { EventContext } from '../context.js';
import type { QueryRunner } from '../query-runner.js';
import { CarriedTransactions, runInTransaction, type OutboxTransactions } from '../transactions.js';

/** What the functions use of an interactive transaction of Prisma. */
export interface PrismaTransaction {
  $queryRawUnsafe<Rows = unknown>(query: string, ...values: unknown[]): PromiseLike<Rows>;
}

/** What the functions use of a PrismaClient. */
export interface PrismaDatabase<Transaction extends PrismaTransaction> {
  $transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}

export const { record, recordChange, setContext } = boundTo(runnerOf);

/**
 * Runs `work` in an interactive transaction, and commits. Rolls back if `work` throws.
 * @param context who makes the changes, for triggers and for events without `principal` or `request`
 * @throws the error of `work` or of the database; also if a statement has failed and `work` has caught its error
 */
export function transaction<Transaction extends PrismaTransaction, Result>(
  prisma: PrismaDatabase<Transaction>,
  context: EventContext,
  work: (tx: Transaction) => PromiseLike<Result>,
): Promise<Result> {
  return runInTransaction((begun) => prisma.$transaction(begun), runnerOf, context, work);
}

/** Returns the transactions of a PrismaClient, for the module of `@waybill/outbox/nestjs`. */
export function transactions<Transaction extends PrismaTransaction>(
  prisma: PrismaDatabase<Transaction>,
): OutboxTransactions {
  return new CarriedTransactions((work) => transaction(prisma, {}, work), runnerOf);
}

function runnerOf(tx: PrismaTransaction): QueryRunner {
  // The text is constant, and what comes from the application is a parameter.
  return (text, values) => tx.$queryRawUnsafe(text, ...values);
}
