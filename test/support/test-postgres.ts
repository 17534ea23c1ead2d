import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@waybill/embedded-postgres';
import { readDatabaseTime } from '../../src/database/database-time.js';
import { openDatabase } from '../../src/database/database.js';
import { EventPartitions } from '../../src/database/partitions/event-partitions.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { FinishedDays } from '../../src/delivery/finished/finished-days.js';
import type { Logger } from '../../src/logging/logger.js';
import { runStatement } from '../../tools/harness/database.js';
import { startContainer } from './container-engine.js';

/** The Postgres of a test run. */
export interface TestPostgres {
  readonly url: string;
  readonly templateDatabase: string;
  /** Where it comes from: a setting, a container or the embedded Postgres. */
  readonly source: string;
  stop(): Promise<void>;
}

/** The Postgres of docker-compose.yml. */
const IMAGE = 'postgres:18';

const MAX_CONNECTIONS = 300;
const MAX_PREPARED_TRANSACTIONS = 20;

/** The default retention of events (RETENTION_EVENTS_DAYS), which decides how many partitions they have. */
const RETENTION_MS = 400 * 86_400_000;

/**
 * The server's authentication_timeout. DROP DATABASE waits until every session has processed a ProcSignalBarrier, which
 * a session that is logging in cannot (https://www.postgresql.org/docs/18/monitoring-stats.html). A test that loses its
 * connection at that moment would otherwise delay every other test by the default of one minute.
 */
const LOGIN_TIMEOUT = '10s';

/**
 * What the server may lose in a crash: no test lets it crash. Each DROP DATABASE makes a checkpoint, after which every
 * page would be written whole again.
 */
const SETTINGS = {
  authentication_timeout: LOGIN_TIMEOUT,
  full_page_writes: 'off',
  synchronous_commit: 'off',
  checkpoint_timeout: '1h',
};

/** Returns `url` with another database. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** A file system in memory, and what it must have free. A run needs less than one gigabyte of it. */
const MEMORY = '/dev/shm';
const LEAST_MEMORY = 4 * 1024 ** 3;

/** Begin of the names of folders with data. */
const FOLDER = 'waybill-test-';
const LOST_AFTER_MS = 600_000;

/** A running server. */
type Server = Pick<TestPostgres, 'url' | 'source' | 'stop'>;

async function startServer(logger: Logger): Promise<Server> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return { url: given, source: 'TEST_DATABASE_URL', stop: () => Promise.resolve() };
  const server = (await startInContainer()) ?? (await startEmbedded(logger));
  for (const [name, value] of Object.entries(SETTINGS))
    await runStatement(server.url, `alter system set ${name} = '${value}'`);
  await runStatement(server.url, 'select pg_reload_conf()');
  return server;
}

async function startInContainer(): Promise<Server | null> {
  const password = randomBytes(12).toString('hex');
  const container = await startContainer({
    image: IMAGE,
    command: [
      'postgres',
      '-c',
      'fsync=off',
      '-c',
      `max_connections=${MAX_CONNECTIONS}`,
      '-c',
      `max_prepared_transactions=${MAX_PREPARED_TRANSACTIONS}`,
    ],
    environment: { POSTGRES_PASSWORD: password },
    port: 5432,
    // The image starts the server twice: once to prepare the data folder.
    ready: { line: /database system is ready to accept connections/, times: 2 },
  });
  if (!container) return null;
  const url = `postgres://postgres:${password}@${container.host}:${container.port}/postgres`;
  return { url, source: `container ${IMAGE}`, stop: () => container.stop() };
}

async function startEmbedded(logger: Logger): Promise<Server> {
  const folder = await mkdtemp(path.join(await parentOfData(), FOLDER));
  const server = await startEmbeddedPostgres({
    folder,
    logger,
    fsync: false,
    maxConnections: MAX_CONNECTIONS,
    maxPreparedTransactions: MAX_PREPARED_TRANSACTIONS,
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: server.connectionString, source: 'the embedded Postgres', stop };
}

/** Migrates the database, and creates the partitions that the processes of a service create when they start. */
async function prepareTemplate(connectionString: string, logger: Logger): Promise<void> {
  await migrate(connectionString, logger);
  const { db } = openDatabase({ connectionString, poolSize: 1, applicationName: 'waybill tests', logger });
  await new EventPartitions(db, RETENTION_MS, logger).ensure();
  await new FinishedDays(db, RETENTION_MS, logger, async () => null).create(await readDatabaseTime(db));
  await db.destroy();
}

/**
 * Returns where the data of the server goes: into memory on Linux, where that has room. The files of a database are
 * created there in a twentieth of the time.
 */
async function parentOfData(): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  if (Math.min(free, freemem()) < LEAST_MEMORY) return tmpdir();
  await removeLostData();
  return MEMORY;
}

/** Removes the data of runs that were killed. */
async function removeLostData(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    if (!name.startsWith(FOLDER)) continue;
    const folder = path.join(MEMORY, name);
    // A run that starts or ends has no server.
    const changed = await stat(folder).catch(() => null);
    if (changed === null || Date.now() - changed.mtimeMs < LOST_AFTER_MS || (await hasServer(folder))) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns whether the server of a folder with data may run. */
async function hasServer(folder: string): Promise<boolean> {
  const file = await readFile(path.join(folder, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(file, 10);
  if (Number.isNaN(pid)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/**
 * Finds or starts the Postgres of a run: TEST_DATABASE_URL (its user must be allowed to create databases), else
 * Postgres 18 in a container, else the embedded Postgres. Creates the migrated database that each test clones.
 */
export async function startTestPostgres(logger: Logger): Promise<TestPostgres> {
  const server = await startServer(logger);
  const templateDatabase = `waybill_template_${randomBytes(6).toString('hex')}`;
  await runStatement(server.url, `create database ${templateDatabase}`);
  await prepareTemplate(withDatabase(server.url, templateDatabase), logger);
  const stop = async (): Promise<void> => {
    await runStatement(server.url, `drop database ${templateDatabase} with (force)`);
    await server.stop();
  };
  return { url: server.url, source: server.source, templateDatabase, stop };
}
