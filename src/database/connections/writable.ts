import { sql, type Kysely } from 'kysely';
import type { Tables } from '../tables.js';

/** SQLSTATE read_only_sql_transaction: https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const READ_ONLY_STATE = '25006';

/** Returns whether a server refused a statement because it accepts no writes: a standby, or a demoted primary. */
export function isReadOnlyRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === READ_ONLY_STATE;
}

/**
 * Checks that the server responds and accepts writes, without a write.
 * @throws the driver's error; with READ_ONLY_STATE when the server accepts no writes
 */
export async function checkWritable(db: Kysely<Tables>): Promise<void> {
  await sql`
    do $$ begin
      if current_setting('transaction_read_only') = 'on' then
        raise exception 'the server accepts no writes' using errcode = 'read_only_sql_transaction';
      end if;
    end $$`.execute(db);
}
