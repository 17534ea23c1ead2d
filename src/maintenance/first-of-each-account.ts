import { sql, type RawBuilder } from 'kysely';

/** Most rows of an account in one round. */
const MOST_OF_ACCOUNT = 10;

/**
 * Returns a table with the first ten rows of each account, and their `place` among them: a round that takes them does
 * not make an account wait for all rows of another.
 * @param rows what follows `from`, with the column `account_id`
 * @param order the order of the rows of one account
 */
export function firstOfEachAccount(rows: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
        select * from (
          select *, row_number() over (partition by account_id order by ${order}) as place from ${rows}
        ) placed
        where place <= ${sql.lit(MOST_OF_ACCOUNT)}
      ) first_of_account`;
}
