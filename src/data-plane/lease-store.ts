import { sql } from 'kysely';
import { fromNow } from '../database/database-time.js';
import type { Database, Transaction } from '../database/database.js';

/**
 * Expiry of a lease that the transaction is about to remove: keeps its resources visible to the transaction.
 */
const removalExpiry = sql<Date>`now() + interval '1 minute'`;

/** The state of a lease before it was acquired. `expired`: its session was not removed yet. */
export type LeaseState = 'new' | 'active' | 'expired';

/** A request to acquire a lease. */
export interface LeaseRequest {
  readonly id: string;
  readonly accountId: string;
  readonly ttlSeconds: number;
  readonly contentHash: Buffer;
}

/** Queries on `leases`. All times are of the database: the clocks of processes do not matter. */
export class LeaseStore<Db extends Database = Database> {
  constructor(private readonly db: Db) {}

  /**
   * Renews an active lease.
   * @param match limits the renewal to a lease of this account with the same report
   * @returns when the lease expires; undefined when there is no such lease
   */
  async renew(
    id: string,
    ttlSeconds: number,
    match?: { readonly accountId: string; readonly contentHash: Buffer },
  ): Promise<Date | undefined> {
    let query = this.db
      .updateTable('leases')
      .set({ expires_at: fromNow(ttlSeconds * 1_000) })
      .where('id', '=', id)
      .where('expires_at', '>', sql<Date>`now()`);
    if (match) {
      query = query.where('account_id', '=', match.accountId).where('content_hash', '=', match.contentHash);
    }
    return (await query.returning('expires_at').executeTakeFirst())?.expires_at;
  }

  /** Returns the account of a lease, expired or not; undefined when there is no lease. */
  async accountOf(id: string): Promise<string | undefined> {
    const lease = this.db.selectFrom('leases').select('account_id').where('id', '=', id);
    return (await lease.executeTakeFirst())?.account_id;
  }

  /**
   * Creates or renews a lease, and locks it until the transaction ends: reports of one session are serialised.
   * @returns the state of the lease before; null when the lease belongs to another account
   */
  async acquire(this: LeaseStore<Transaction>, request: LeaseRequest): Promise<LeaseState | null> {
    const { id, accountId, ttlSeconds, contentHash } = request;
    const inserted = await this.db
      .insertInto('leases')
      .values({
        id,
        account_id: accountId,
        expires_at: fromNow(ttlSeconds * 1_000),
        content_hash: contentHash,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted) return 'new';
    const found = await this.db
      .selectFrom('leases')
      .select(['account_id', sql<boolean>`expires_at <= now()`.as('expired')])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    // The lease was removed between the two statements.
    if (!found) return this.acquire(request);
    if (found.account_id !== accountId) return null;
    await this.db
      .updateTable('leases')
      .set({ expires_at: fromNow(ttlSeconds * 1_000), content_hash: contentHash })
      .where('id', '=', id)
      .execute();
    return found.expired ? 'expired' : 'active';
  }

  /** When a lease that this transaction acquired expires. */
  async expiry(this: LeaseStore<Transaction>, id: string): Promise<Date> {
    const lease = this.db.selectFrom('leases').select('expires_at').where('id', '=', id);
    return (await lease.executeTakeFirstOrThrow()).expires_at;
  }

  /**
   * Locks a lease for its removal, expired or not. Its resources are visible to this transaction.
   * @returns the account of the lease; undefined when there is no lease
   */
  async lockForRemoval(this: LeaseStore<Transaction>, id: string): Promise<string | undefined> {
    const query = this.db.updateTable('leases').set({ expires_at: removalExpiry }).where('id', '=', id);
    return (await query.returning('account_id').executeTakeFirst())?.account_id;
  }

  /**
   * Locks for its removal the lease that expired first, of those that no other transaction has locked.
   * @param except ids to skip
   */
  async lockExpired(
    this: LeaseStore<Transaction>,
    except: readonly string[],
  ): Promise<{ readonly id: string; readonly accountId: string } | undefined> {
    const { rows } = await sql<{ id: string; accountId: string }>`
      update leases set expires_at = ${removalExpiry}
      where id = (
        select id from leases where expires_at <= now() and id <> all(${except})
        order by expires_at limit 1 for update skip locked
      )
      returning id, account_id as "accountId"`.execute(this.db);
    return rows[0];
  }

  /** Removes a lease whose resources have been deleted. */
  async remove(this: LeaseStore<Transaction>, id: string): Promise<void> {
    await this.db.deleteFrom('leases').where('id', '=', id).execute();
  }
}
