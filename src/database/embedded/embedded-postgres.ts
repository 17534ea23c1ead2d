import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../logging/logger.js';
import { serverAccount } from './account.js';
import { findBinaries } from './binaries.js';
import { CLUSTER_NAME, clusterFolder, ensureCluster, onCluster } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { lockFolder } from './folder-lock.js';
import { freePort } from './free-port.js';
import { runServer, type RunningServer, type ServerOptions } from './server.js';

/** How to start the embedded Postgres. */
export interface EmbeddedPostgresOptions {
  /** Absolute path of the folder that holds the data and all else that belongs to it; made when missing. */
  readonly dataDir: string;
  readonly logger: Logger;
  /** Whether a commit is on disk when it is answered. Only tests turn this off: without it a power cut loses data. */
  readonly fsync?: boolean;
  /** Most connections at once; 100 unless told, which is five processes' worth of pools. */
  readonly maxConnections?: number;
  /**
   * Called when another process has taken the data folder (this one was paused for long, or somebody removed its lock): the server
   * has been stopped, and the process has nothing left to stand on.
   */
  readonly onLost?: (error: EmbeddedPostgresError) => void;
  /** Folder of Postgres's `bin`, `lib` and `share`; that of the npm package unless told. */
  readonly installed?: string;
}

/** A running embedded Postgres. */
export interface EmbeddedPostgres {
  /** Holds the password: never log it. */
  readonly connectionString: string;
  /** Ends every session, writes everything down, stops the server and frees the folder. More calls wait for the first. */
  stop(): Promise<void>;
}

/** Tries to start: the port may be taken meanwhile, and the parts of a killed server may need a moment to go. */
const START_TRIES = 5;

/**
 * Starts Postgres as a child of this process, on a free port of 127.0.0.1; resolves when it takes queries. It ends with this
 * process, also if that is killed. If it ends by itself it is started again, on the same port. How and why:
 * docs/decisions/embedded-postgres.md.
 * @throws EmbeddedPostgresError when it cannot run here, or when another process uses the folder.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, logger } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new EmbeddedPostgresError(
      `The data folder ${dataDir} cannot be made: ${error instanceof Error ? error.message : String(error)}. Set DATA_DIR.`,
      { cause: error },
    );
  });
  const lock = await lockFolder(dataDir, logger);
  try {
    const cluster = clusterFolder(dataDir);
    const account = await serverAccount(cluster);
    const binaries = await findBinaries(dataDir, account, options.installed);
    const password = await ensureCluster(dataDir, binaries, account, logger);
    const optionsAt = (port: number): ServerOptions => ({
      binaries,
      place: onCluster(cluster, account),
      settings: settings(options, port),
      connectionString: `postgresql://${CLUSTER_NAME}:${password}@127.0.0.1:${port}/${CLUSTER_NAME}`,
      logger,
    });
    const { server, serverOptions } = await start(optionsAt);
    const kept = keepRunning(server, serverOptions);
    lock.lost.addEventListener('abort', () => {
      const lost = new EmbeddedPostgresError(
        `Another process has taken the data folder ${dataDir}, so the embedded Postgres was stopped. Use a DATA_DIR for each process.`,
      );
      void kept.stop().finally(() => options.onLost?.(lost));
    });
    let stopping: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      await kept.stop();
      await binaries.dispose();
      await lock.release();
    };
    return { connectionString: serverOptions.connectionString, stop: () => (stopping ??= stop()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function settings(options: EmbeddedPostgresOptions, port: number): ServerOptions['settings'] {
  return {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: options.maxConnections ?? 100,
    fsync: options.fsync === false ? 'off' : 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    // Our log gets what the server says of itself; the errors of statements come to who sent them, and may hold values.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_line_prefix: '',
  };
}

async function start(optionsAt: (port: number) => ServerOptions) {
  for (let attempt = 1; ; attempt += 1) {
    const serverOptions = optionsAt(await freePort());
    try {
      return { server: await runServer(serverOptions), serverOptions };
    } catch (error) {
      if (attempt === START_TRIES) throw error;
      serverOptions.logger.debug(
        { err: error, attempt },
        'the embedded Postgres did not start; trying again',
      );
      await sleep(500);
    }
  }
}

/** Starts the server again whenever it ends by itself, until stopped. */
function keepRunning(first: RunningServer, options: ServerOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let current = first;
  const loop = async (): Promise<void> => {
    for (let failures = 0; ;) {
      await current.ended;
      if (stopping.signal.aborted) return;
      options.logger.error('the embedded Postgres ended by itself; starting it again');
      await sleep(Math.min(30_000, 500 * 2 ** failures), undefined, { signal: stopping.signal }).catch(
        () => {},
      );
      if (stopping.signal.aborted) return;
      try {
        current = await runServer(options);
        failures = 0;
        if (stopping.signal.aborted) await current.stop();
      } catch (error) {
        failures += 1;
        options.logger.error({ err: error }, 'the embedded Postgres could not be started again');
      }
    }
  };
  const looping = loop();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await current.stop();
    await looping;
  };
  return { stop };
}
