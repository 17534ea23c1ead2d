import type { EventPrincipal, RecordedTable } from '@waybill/outbox';
import pg from 'pg';

/** What the example for node-postgres uses. */
export interface Context {
  readonly pool: pg.Pool;
  readonly orders: RecordedTable;
  readonly user: EventPrincipal;
  readonly id: number;
  readonly title: string;
}

/** Connects to the database. */
export async function open(url: string): Promise<{ context: { pool: pg.Pool }; close: () => Promise<void> }> {
  const pool = new pg.Pool({ connectionString: url });
  return { context: { pool }, close: () => pool.end() };
}
