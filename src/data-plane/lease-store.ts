import { sql, type RawBuilder } from 'kysely';
import type { Database, Transaction } from '../database/database.js';

/** How long a lease that is being ended lasts for the transaction that ends it; nobody else ever sees it so. */
const ending = sql<Date>`now() + interval '1 minute'`;

/** A lease as whoever reports finds it. `lapsed`: nobody has cleared up after it yet. */
export type Holding = 'new' | 'held' | 'lapsed';

/** What a lease is taken for. */
export interface LeaseRequest {
  readonly id: string;
  readonly accountId: string;
  readonly ttlSeconds: number;
  readonly contentHash: Buffer;
}

function fromNow(seconds: number): RawBuilder<Date> {
  return sql<Date>`now() + ${seconds}::integer * interval '1 second'`;
}

/** Every query on `leases`. All times are the database's: the clocks of processes do not matter. */
export class LeaseStore<Db extends Database = Database> {
  constructor(private readonly db: Db) {}

  /**
   * Prolongs a lease that lasts.
   * @param of where given, only a lease of this account whose report was the same
   * @returns when it ends now; undefined where there is no such lease
   */
  async renew(
    id: string,
    ttlSeconds: number,
    of?: { readonly accountId: string; readonly contentHash: Buffer },
  ): Promise<Date | undefined> {
    let query = this.db
      .updateTable('leases')
      .set({ expires_at: fromNow(ttlSeconds) })
      .where('id', '=', id)
      .where('expires_at', '>', sql<Date>`now()`);
    if (of) query = query.where('account_id', '=', of.accountId).where('content_hash', '=', of.contentHash);
    return (await query.returning('expires_at').executeTakeFirst())?.expires_at;
  }

  /**
   * Takes a lease, new or not, and holds it until the transaction ends: reports of one session follow each other.
   * @returns how it was found, or null where it is another account's
   */
  async take(this: LeaseStore<Transaction>, request: LeaseRequest): Promise<Holding | null> {
    const { id, accountId, ttlSeconds, contentHash } = request;
    const inserted = await this.db
      .insertInto('leases')
      .values({
        id,
        account_id: accountId,
        expires_at: fromNow(ttlSeconds),
        content_hash: contentHash,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted) return 'new';
    const found = await this.db
      .selectFrom('leases')
      .select(['account_id', sql<boolean>`expires_at <= now()`.as('lapsed')])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    // It was ended between the two statements.
    if (!found) return this.take(request);
    if (found.account_id !== accountId) return null;
    await this.db
      .updateTable('leases')
      .set({ expires_at: fromNow(ttlSeconds), content_hash: contentHash })
      .where('id', '=', id)
      .execute();
    return found.lapsed ? 'lapsed' : 'held';
  }

  /** When a lease of this transaction's ends. */
  async expiry(this: LeaseStore<Transaction>, id: string): Promise<Date> {
    const lease = this.db.selectFrom('leases').select('expires_at').where('id', '=', id);
    return (await lease.executeTakeFirstOrThrow()).expires_at;
  }

  /**
   * Holds a lease that is about to be ended, whether it has lapsed or not; what is under it can be seen in this transaction.
   * @returns its account; undefined where there is none
   */
  async holdToEnd(this: LeaseStore<Transaction>, id: string): Promise<string | undefined> {
    const query = this.db.updateTable('leases').set({ expires_at: ending }).where('id', '=', id);
    return (await query.returning('account_id').executeTakeFirst())?.account_id;
  }

  /**
   * The same for the lease that lapsed first, of those that nobody else is about to end.
   * @param except ids that are left alone
   */
  async holdLapsed(
    this: LeaseStore<Transaction>,
    except: readonly string[],
  ): Promise<{ readonly id: string; readonly accountId: string } | undefined> {
    const { rows } = await sql<{ id: string; accountId: string }>`
      update leases set expires_at = ${ending}
      where id = (
        select id from leases where expires_at <= now() and id <> all(${except})
        order by expires_at limit 1 for update skip locked
      )
      returning id, account_id as "accountId"`.execute(this.db);
    return rows[0];
  }

  /** Ends a lease that nothing exists under any more. */
  async remove(this: LeaseStore<Transaction>, id: string): Promise<void> {
    await this.db.deleteFrom('leases').where('id', '=', id).execute();
  }
}
