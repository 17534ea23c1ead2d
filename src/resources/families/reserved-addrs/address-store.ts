import type { Transaction } from '../../../database/database.js';

/** Queries on `assigned_addrs`, which keeps every address that was ever assigned. */
export const addressStore = {
  /** Assigns an address. Waits for a concurrent assignment; returns false if the address was ever assigned before. */
  async take(trx: Transaction, addr: string): Promise<boolean> {
    const taken = await trx
      .insertInto('assigned_addrs')
      .values({ addr })
      .onConflict((conflict) => conflict.doNothing())
      .returning('addr')
      .executeTakeFirst();
    return taken !== undefined;
  },
};
