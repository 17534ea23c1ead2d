import type { EventPrincipal, RecordedTable } from '@waybill/outbox';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { integer, pgTable, serial, text } from 'drizzle-orm/pg-core';
import pg from 'pg';

const ordersTable = pgTable('orders', { id: serial().primaryKey(), title: text().notNull(), price: integer() });

/** What the example for Drizzle uses. */
export interface Context {
  readonly db: NodePgDatabase;
  readonly ordersTable: typeof ordersTable;
  readonly orders: RecordedTable;
  readonly user: EventPrincipal;
  readonly id: number;
  readonly title: string;
}

/** Connects to the database. */
export async function open(
  url: string,
): Promise<{ context: Pick<Context, 'db' | 'ordersTable'>; close: () => Promise<void> }> {
  const pool = new pg.Pool({ connectionString: url });
  return { context: { db: drizzle(pool), ordersTable }, close: () => pool.end() };
}
