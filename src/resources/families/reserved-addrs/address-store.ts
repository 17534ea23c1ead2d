import type { Transaction } from '../../../database/database.js';

/**
 * Assigns an address. Waits for a concurrent assignment; returns false if the address was ever assigned before:
 * `assigned_addrs` keeps every one.
 */
export async function assignAddress(trx: Transaction, addr: string): Promise<boolean> {
  const assigned = await trx
    .insertInto('assigned_addrs')
    .values({ addr })
    .onConflict((conflict) => conflict.doNothing())
    .returning('addr')
    .executeTakeFirst();
  return assigned !== undefined;
}
