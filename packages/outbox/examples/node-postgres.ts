import pg from 'pg';

/** What the example for node-postgres uses. */
export interface Context {
  readonly client: pg.Client;
}

/** Connects to the database. */
export async function open(url: string): Promise<{ context: Context; close: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { context: { client }, close: () => client.end() };
}
