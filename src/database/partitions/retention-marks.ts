import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import { completeSince } from '../complete-since.js';
import { fromNow } from '../database-time.js';
import type { Database } from '../database.js';

/**
 * What is removed after a retention: rows, or the files of exports. Each kind has a mark: since when what was recorded
 * is complete.
 */
export type RetainedKind = 'events' | 'deliveries' | 'attempts' | 'exports';

/** A mark never goes back: a longer retention brings no row back. */
const raised = sql`
    on conflict (kind) do update set complete_since = excluded.complete_since
    where mark.complete_since < excluded.complete_since`;

/**
 * Returns a part of a statement that removes rows: it marks the time of the latest of them.
 * @param removed the name of the part that removes them and returns their times
 * @param time the column with the time of recording
 */
export function markRemoved(kind: RetainedKind, removed: string, time: string): RawBuilder<unknown> {
  return sql`
    insert into retention_marks as mark (kind, complete_since)
    select ${kind}, max(${sql.id(time)}) + interval '1 millisecond' from ${sql.id(removed)} having count(*) > 0
    ${raised}`;
}

/**
 * Marks that rows of a kind are complete within the retention only. For the transaction that drops a partition whose
 * rows are all older.
 */
export async function markRetention(db: QueryExecutorProvider, kind: RetainedKind, retentionMs: number): Promise<void> {
  await sql`
    insert into retention_marks as mark (kind, complete_since)
    values (${kind}, date_trunc('milliseconds', ${fromNow(-retentionMs)}) + interval '1 millisecond')
    ${raised}`.execute(db);
}

/** Reads since when the rows of an account are complete. */
export class RetentionMarks {
  constructor(private readonly db: Database) {}

  /**
   * Returns the time since which each kind is complete for the account. Kinds of which the account has lost nothing are
   * absent. Call it after reading rows: what is removed in between is marked then.
   */
  async of(accountId: string): Promise<ReadonlyMap<string, Date>> {
    const rows = await this.db
      .selectFrom('retention_marks as mark')
      .innerJoin('accounts', (join) => join.on('accounts.id', '=', accountId))
      .whereRef('mark.complete_since', '>', 'accounts.created_at')
      .select(['mark.kind', 'mark.complete_since as since'])
      .execute();
    return new Map(rows.map(({ kind, since }) => [kind, since]));
  }

  /**
   * Returns since when a list has every item of the account: earlier ones were removed. Null when it misses nothing.
   * Call it after reading the list, as `of`: what is removed in between is marked by then.
   * @param kinds what the list reads
   * @param from where the list begins; undefined: with the first item
   */
  async completeSince(accountId: string, kinds: readonly RetainedKind[], from?: Date): Promise<Date | null> {
    const marks = await this.of(accountId);
    return completeSince(
      from,
      kinds.map((kind) => marks.get(kind) ?? null),
    );
  }

  /**
   * Returns a time before which everything of a kind without a mark is removed; null when the account is younger, and
   * has lost nothing.
   */
  async unlessYounger(accountId: string, time: Date): Promise<Date | null> {
    const row = await this.db
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', accountId)
      .where('created_at', '<', time)
      .executeTakeFirst();
    return row === undefined ? null : time;
  }
}
