import { Kysely, PostgresDialect, type Generated } from 'kysely';
import pg from 'pg';

interface Tables {
  orders: { id: Generated<number>; total: number };
}

/** What the example for Kysely uses. */
export interface Context {
  readonly db: Kysely<Tables>;
}

/** Connects to the database. */
export async function open(url: string): Promise<{ context: Context; close: () => Promise<void> }> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }) });
  return { context: { db }, close: () => db.destroy() };
}
