import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '@waybill/embedded-postgres';
import { statOf } from '../cpu/proc.js';
import { benchLogger } from './bench-logger.js';

/** The Postgres of a run. */
export interface BenchPostgres {
  readonly version: string;
  /** The server's first process, where it runs on this machine: all others descend from it. */
  readonly pid: number | null;
  /** Makes an empty database; gives its connection string. */
  createDatabase(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects to the server of DATABASE_URL, whose user must be allowed to create databases, or starts an embedded Postgres with
 * its data in `folder`, with the settings that the service itself gives it.
 */
export async function openPostgres(given: string | undefined, folder: string): Promise<BenchPostgres> {
  const server = given
    ? { connectionString: given, stop: () => Promise.resolve() }
    : await startEmbeddedPostgres({ folder: join(folder, 'data'), logger: benchLogger });
  const run = async <T extends object>(statement: string): Promise<readonly T[]> => {
    const client = new Client({ connectionString: server.connectionString });
    await client.connect();
    try {
      return (await client.query<T>(statement)).rows;
    } finally {
      await client.end();
    }
  };
  const [about] = await run<{ version: string }>(`select current_setting('server_version') as version`);
  return {
    version: about?.version ?? '',
    pid: await firstProcess(server.connectionString),
    createDatabase: async (name) => {
      await run(`create database ${name}`);
      const url = new URL(server.connectionString);
      url.pathname = `/${name}`;
      return url.href;
    },
    dropDatabase: async (name) => {
      await run(`drop database ${name} with (force)`);
    },
    close: () => server.stop(),
  };
}

/** The parent of whatever process serves a connection of ours. */
async function firstProcess(connectionString: string): Promise<number | null> {
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
