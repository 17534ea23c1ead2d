import type { Transaction } from '../../../database/database.js';

/** Queries on `assigned_addrs`, which keeps every address that was ever assigned. */
export class AddressStore {
  constructor(private readonly trx: Transaction) {}

  /**
   * Assigns an address. Waits for a concurrent assignment; returns false if the address was ever assigned before.
   */
  async assign(addr: string): Promise<boolean> {
    const assigned = await this.trx
      .insertInto('assigned_addrs')
      .values({ addr })
      .onConflict((conflict) => conflict.doNothing())
      .returning('addr')
      .executeTakeFirst();
    return assigned !== undefined;
  }
}
