import { sql } from 'kysely';
import type { Transaction } from '../../../database/database.js';

/** Queries on the children of failover backends. */
export class FailoverOrderStore {
  constructor(private readonly trx: Transaction) {}

  /**
   * Locks the account, so that changes of children are serialised. Without the lock, two concurrent updates could each
   * add half of a cycle.
   */
  async lockAccount(accountId: string): Promise<void> {
    await this.trx
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
  }

  /** Finds those of `backends` that are `id` or fail over to it, directly or through others. */
  async findReaching(id: string, backends: readonly string[]): Promise<ReadonlySet<string>> {
    // `union` drops rows that were seen before, so the recursion ends even in a cycle.
    const { rows } = await sql<{ start: string }>`
      with recursive below (start, id) as (
        select start, start from unnest(${[...backends]}::text[] collate "C") as start
        union
        select below.start, link.to_id
        from below join resource_links as link on link.from_id = below.id and link.role = 'backends'
      )
      select start from below where id = ${id}`.execute(this.trx);
    return new Set(rows.map(({ start }) => start));
  }
}
