import type { Transaction } from '../../../database/database.js';

/** Every query on `assigned_addrs`, where an address stays for ever. */
export const addressStore = {
  /** Takes an address; false where it was ever taken before. One that another transaction is just taking is waited for. */
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
