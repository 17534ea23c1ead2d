import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { integer, pgTable, serial } from 'drizzle-orm/pg-core';
import pg from 'pg';

const orders = pgTable('orders', { id: serial().primaryKey(), total: integer().notNull() });

/** What the example for Drizzle uses. */
export interface Context {
  readonly db: NodePgDatabase;
  readonly orders: typeof orders;
}

/** Connects to the database. */
export async function open(url: string): Promise<{ context: Context; close: () => Promise<void> }> {
  const pool = new pg.Pool({ connectionString: url });
  return { context: { db: drizzle(pool), orders }, close: () => pool.end() };
}
