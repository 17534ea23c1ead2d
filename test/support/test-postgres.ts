import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import type { Logger } from '../../src/logging/logger.js';

/** The Postgres of a test run. */
export interface TestPostgres {
  readonly url: string;
  readonly templateDatabase: string;
  stop(): Promise<void>;
}

/**
 * How long the server waits for somebody who has connected to log in. To drop a database it waits for every session to take note
 * of that, which one that logs in cannot (https://www.postgresql.org/docs/18/monitoring-stats.html, ProcSignalBarrier): a test
 * whose connection is lost at that moment would hold up all others for the minute that is the default.
 */
const LOGIN_TIMEOUT = '10s';

/** `url` with another database. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** Runs one statement on a connection of its own. */
export async function runStatement(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  // The server may end this connection (a test that stops it); the statement's own error is what counts.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function startServer(logger: Logger): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return { url: given, stop: () => Promise.resolve() };
  const dataDir = await mkdtemp(path.join(tmpdir(), 'waybill-test-'));
  const server = await startEmbeddedPostgres({ dataDir, logger, fsync: false, maxConnections: 300 });
  await runStatement(server.connectionString, `alter system set authentication_timeout = '${LOGIN_TIMEOUT}'`);
  await runStatement(server.connectionString, 'select pg_reload_conf()');
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: server.connectionString, stop };
}

/**
 * Starts the run's Postgres (TEST_DATABASE_URL, where set, names one that is there already and whose user may create
 * databases) and makes the migrated database that each test clones.
 */
export async function startTestPostgres(logger: Logger): Promise<TestPostgres> {
  const server = await startServer(logger);
  const templateDatabase = `waybill_template_${randomBytes(6).toString('hex')}`;
  await runStatement(server.url, `create database ${templateDatabase}`);
  await migrate(withDatabase(server.url, templateDatabase), logger);
  const stop = async (): Promise<void> => {
    await runStatement(server.url, `drop database ${templateDatabase} with (force)`);
    await server.stop();
  };
  return { url: server.url, templateDatabase, stop };
}
