import type { Database, Transaction } from '../../../src/database/database.js';
import { FanOutStore } from '../../../src/delivery/fan-out/fan-out-store.js';

/** Creates the deliveries of the first part that can be taken. Returns its destinations; null when there is none. */
export function deliverNextPart(db: Database): Promise<readonly string[] | null> {
  return db.transaction().execute(deliverNextPartWithin);
}

/** The same, within a transaction. */
export async function deliverNextPartWithin(trx: Transaction): Promise<readonly string[] | null> {
  const store = new FanOutStore(trx);
  for (const id of await store.waiting(100)) {
    const destinationIds = await store.deliver(id);
    if (destinationIds !== null) return destinationIds;
  }
  return null;
}
