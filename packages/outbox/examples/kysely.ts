import type { EventPrincipal, RecordedTable } from '@waybill/outbox';
import { Kysely, PostgresDialect, type Generated } from 'kysely';
import pg from 'pg';

interface Tables {
  orders: { id: Generated<number>; title: string; price: number | null };
}

/** What the example for Kysely uses. */
export interface Context {
  readonly db: Kysely<Tables>;
  readonly orders: RecordedTable;
  readonly user: EventPrincipal;
  readonly id: number;
  readonly title: string;
}

/** Connects to the database. */
export async function open(url: string): Promise<{ context: Pick<Context, 'db'>; close: () => Promise<void> }> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }) });
  return { context: { db }, close: () => db.destroy() };
}
