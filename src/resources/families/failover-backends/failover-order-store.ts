import { sql } from 'kysely';
import type { Transaction } from '../../../database/database.js';

/** Queries on which backend falls over to which. */
export class FailoverOrderStore {
  constructor(private readonly trx: Transaction) {}

  /**
   * Lets one transaction of an account at a time change who falls over to whom. Two that each make half of a cycle see the
   * other's half this way: what is read after this has been committed by whoever had the turn before.
   */
  async lockOrder(accountId: string): Promise<void> {
    await this.trx
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
  }

  /** Which of these backends are `id` or fall over to it, directly or through others. */
  async leadingTo(id: string, backends: readonly string[]): Promise<ReadonlySet<string>> {
    // `union` drops what was seen before, so this ends whatever the links are.
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
