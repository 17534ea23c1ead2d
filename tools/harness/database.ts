import { Client, type QueryResultRow } from 'pg';

/** Runs one statement on a connection of its own, which no earlier outage can have broken. */
export async function runStatement<Row extends QueryResultRow>(
  connectionString: string,
  statement: string,
): Promise<readonly Row[]> {
  const client = new Client({ connectionString });
  // The server may close the connection. The statement then fails, so this error adds nothing.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Creates an empty database on a server. Returns its connection string. */
export async function createDatabase(server: string, name: string): Promise<string> {
  await runStatement(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a database, with connections or without. */
export async function dropDatabase(server: string, name: string): Promise<void> {
  await runStatement(server, `drop database if exists ${name} with (force)`);
}
