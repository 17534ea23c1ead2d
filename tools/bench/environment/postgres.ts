import { join } from 'node:path';
import { startEmbeddedPostgres } from '@waybill/embedded-postgres';
import { Client } from 'pg';
import { createDatabase, dropDatabase, runStatement } from '../../harness/database.js';
import { toolLogger } from '../../harness/logger.js';
import { statOf } from '../../harness/proc.js';

/** The Postgres of a run. */
export interface BenchPostgres {
  readonly version: string;
  /** Process id of the postmaster, the parent of all server processes; null if it runs on another machine. */
  readonly pid: number | null;
  /** Creates an empty database. Returns its connection string. */
  createDatabase(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts an embedded Postgres in `folder`, with the settings that the service uses.
 * @param given connection string of a server to use instead; its user must be allowed to create databases
 */
export async function openPostgres(given: string | undefined, folder: string): Promise<BenchPostgres> {
  const server = given
    ? { connectionString: given, stop: () => Promise.resolve() }
    : await startEmbeddedPostgres({ folder: join(folder, 'data'), logger: toolLogger });
  const { connectionString } = server;
  const [about] = await runStatement<{ version: string }>(
    connectionString,
    `select current_setting('server_version') as version`,
  );
  return {
    version: about?.version ?? '',
    pid: await postmasterPid(connectionString),
    createDatabase: (name) => createDatabase(connectionString, name),
    dropDatabase: (name) => dropDatabase(connectionString, name),
    close: () => server.stop(),
  };
}

/** Returns the parent of the process that serves a connection, or null if the server runs on another machine. */
async function postmasterPid(connectionString: string): Promise<number | null> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const stat = await statOf(rows[0]?.pid ?? 0);
    return stat?.name.startsWith('postgres') ? stat.parent : null;
  } finally {
    await client.end();
  }
}
