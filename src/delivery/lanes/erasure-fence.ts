import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../../database/database.js';

/**
 * Keeps the steps of erasures of an account out until the transaction ends. To be called before the events are read
 * that get a delivery once more: an erasure leaves events with a delivery that waits, and sees those of transactions
 * that have ended.
 * @param accountId a query with the id, or the id
 */
export async function holdErasures(trx: Transaction, accountId: RawBuilder<unknown> | string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${keyOf(accountId)})`.execute(trx);
}

/** Waits for the transactions that `holdErasures` of the account, and keeps others out until this one ends. */
export async function beginErasing(trx: Transaction, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${keyOf(accountId)})`.execute(trx);
}

function keyOf(accountId: RawBuilder<unknown> | string): RawBuilder<unknown> {
  return sql`hashtextextended('erasures of ' || ${accountId}, 0)`;
}
