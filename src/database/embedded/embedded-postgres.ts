import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../../logging/logger.js';
import { serverAccount } from './account.js';
import { binariesIn, installedFolder } from './binaries.js';
import { CLUSTER_NAME, clusterPaths, ensureCluster, onCluster } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { startWithParent } from './process-with-parent.js';

export { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** How to start the embedded Postgres. */
export interface EmbeddedPostgresOptions {
  /** Absolute path of the folder that holds the data and all else that belongs to it; made when missing. */
  readonly dataDir: string;
  readonly logger: Logger;
  /** Whether a commit is on disk when it is answered. Only tests turn this off: without it a power cut loses data. */
  readonly fsync?: boolean;
  /** Most connections at once; 100 unless told. */
  readonly maxConnections?: number;
}

/** A running embedded Postgres. */
export interface EmbeddedPostgres {
  /** Holds the password: never log it. */
  readonly connectionString: string;
  /** Ends every session, writes everything down and stops the server. */
  stop(): Promise<void>;
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string')
    throw new EmbeddedPostgresError('No free port on 127.0.0.1.');
  return address.port;
}

/**
 * Starts Postgres on 127.0.0.1, on a free port, as a child of this process; resolves when it takes queries.
 * @throws EmbeddedPostgresError when it cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, logger } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const paths = clusterPaths(dataDir);
  const account = await serverAccount(paths.cluster);
  const binaries = binariesIn(installedFolder());
  const password = await ensureCluster(dataDir, binaries, account, logger);
  const port = await freePort();
  const place = onCluster(paths.cluster, account);
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: options.maxConnections ?? 100,
    fsync: options.fsync === false ? 'off' : 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '',
    log_min_messages: 'log',
    log_error_verbosity: 'terse',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = startWithParent({
    program: binaries.postgres,
    args: ['-D', place.folder, ...args],
    endSignal: 'INT',
    ...place,
  });
  const exited = once(server, 'exit');
  let output = '';
  server.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_000);
  });
  const connectionString = `postgresql://${CLUSTER_NAME}:${password}@127.0.0.1:${port}/${CLUSTER_NAME}`;
  for (;;) {
    const client = new pg.Client({ connectionString });
    client.on('error', () => {});
    const ok = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (ok) break;
    if (server.exitCode !== null)
      throw new EmbeddedPostgresError(`Postgres ended while starting:\n${output}`);
    await sleep(50);
  }
  return {
    connectionString,
    stop: async () => {
      server.stdin?.end();
      await exited;
    },
  };
}
