import { sql, type Kysely } from 'kysely';

/** The release before it works with this schema. */
export const additive = true;

/**
 * How many resources of a family an account may create before they are counted again, spread over several rows.
 * Unlogged: a lost row costs a count. Half of each page stays free, so that an update stays on its page.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create unlogged table resource_allowances (
    account_id text collate "C" not null,
    kind text not null,
    row_number smallint not null,
    quota integer not null,
    free integer not null,
    primary key (account_id, kind, row_number)
  ) with (fillfactor = 50)`.execute(db);
}
