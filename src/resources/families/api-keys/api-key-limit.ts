import type { Transaction } from '../../../database/database.js';
import { Problem } from '../../../problems/problem.js';
import { ApiKeyStore } from './api-key-store.js';

/** Limits the API keys of a principal, so that one bot user does not use up the quota of its account. */
export class ApiKeyLimit {
  /** @param perPrincipal most API keys of a principal; 0: no limit */
  constructor(private readonly perPrincipal: number) {}

  /**
   * Checks that an owner may have one more key. Holds back other keys of the owner until the transaction ends, so that
   * creates at the same time do not pass the limit.
   * @throws Problem `principal_keys_exceeded`
   */
  async assertRoom(trx: Transaction, ownerId: string): Promise<void> {
    if (this.perPrincipal === 0) return;
    const keys = new ApiKeyStore(trx);
    await keys.lockOwner(ownerId);
    if ((await keys.countOf(ownerId, this.perPrincipal)) < this.perPrincipal) return;
    const detail = `${ownerId} has ${this.perPrincipal} API keys, as many as a principal may create for itself. Delete some, or ask an admin for a key.`;
    throw new Problem('conflict', 'principal_keys_exceeded', detail);
  }
}
