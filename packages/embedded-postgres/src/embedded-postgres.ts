import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBinaries, type PostgresBinaries } from './binaries.js';
import { clusterContext, clusterFolder, connectionUrl, ensureCluster } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { lockFolder } from './folder-lock.js';
import { freePort } from './free-port.js';
import { silentLogger, type Logger } from './logger.js';
import { serverAccount } from './server-account.js';
import { runServer, type RunningServer, type ServerOptions } from './server.js';

/** Options of `startEmbeddedPostgres`. */
export interface EmbeddedPostgresOptions {
  /** Absolute path of the folder for the data, the password and the lock. Created with mode 0700 when missing. */
  readonly folder: string;
  /**
   * Name of the superuser and of the database, `app` by default. The first start on a folder fixes it. Lowercase
   * letters, digits and underscores; not `postgres`, `template0`, `template1` or a name that begins with `pg_`.
   */
  readonly name?: string;
  /** TCP port on 127.0.0.1; a free one by default. */
  readonly port?: number;
  /** Most connections at once; 100 by default. */
  readonly maxConnections?: number;
  /** Most prepared transactions at once; 0 by default. */
  readonly maxPreparedTransactions?: number;
  /** Whether a commit waits for the disk; true by default. With false, a power cut loses data: for tests only. */
  readonly fsync?: boolean;
  /** Receives log lines; none are written by default. */
  readonly logger?: Logger;
  /** Aborts the start. It has no effect on a server that has started. */
  readonly signal?: AbortSignal;
  /**
   * Called after another process took the folder (this one was paused for long, or the lock file was removed). The
   * server has been stopped, and does not start again.
   */
  readonly onLost?: (error: EmbeddedPostgresError) => void;
  /** Folder with Postgres's `bin`, `lib` and `share`; that of the installed npm package by default. */
  readonly binaries?: string;
}

/** A running embedded Postgres. */
export interface EmbeddedPostgres {
  /** Holds the password: never log it. It stays the same when the server is started again. */
  readonly connectionString: string;
  /** Ends every session, stops the server and releases the folder. Further calls wait for the first. */
  stop(): Promise<void>;
}

/**
 * Tries of a start: the port may be taken since it was chosen, and the other processes of a killed server take a
 * moment to end.
 */
const START_TRIES = 5;
const RETRY_DELAY_MS = 500;
/** Longest delay before a server that ended by itself is started again, in milliseconds. */
const LONGEST_RESTART_DELAY_MS = 30_000;

const validName = /^(?!pg_)(?!(?:postgres|template[01])$)[a-z][a-z0-9_]{0,62}$/;

/**
 * Starts Postgres as a child of this process, on a port of 127.0.0.1. Resolves when the server answers queries. The
 * server ends with this process, even when this process is killed. A server that ends by itself is started again on the
 * same port.
 * @throws EmbeddedPostgresError when Postgres cannot run here, or another process uses the folder; the reason of
 * `signal` when it aborts; RangeError for an invalid `name`
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { folder, name = 'app', logger = silentLogger, signal } = options;
  if (!validName.test(name)) throw new RangeError(`"${name}" cannot name the superuser and the database.`);
  signal?.throwIfAborted();
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new EmbeddedPostgresError('folder_unusable', `The data folder ${folder} cannot be created.`, {
      cause: error,
    });
  });
  const lock = await lockFolder(folder, logger, { signal });
  let binaries: PostgresBinaries | undefined;
  const release = async (): Promise<void> => {
    await binaries?.dispose();
    await lock.release();
  };
  try {
    const cluster = clusterFolder(folder);
    const account = await serverAccount(cluster);
    const found = await findBinaries(folder, account, options.binaries);
    binaries = found;
    signal?.throwIfAborted();
    const password = await ensureCluster({ folder, name, binaries: found, account, logger });
    const optionsAt = (port: number): ServerOptions => ({
      binaries: found,
      context: clusterContext(cluster, account),
      settings: serverSettings(options, port),
      connectionString: connectionUrl(name, password, port),
      logger,
    });
    const { server, serverOptions } = await start(optionsAt, options.port, signal);
    const supervised = supervise(server, serverOptions);
    lock.lost.addEventListener('abort', () => {
      const lost = new EmbeddedPostgresError(
        'folder_lost',
        `Another process has taken the data folder ${folder}, so the embedded Postgres was stopped.`,
      );
      void supervised.stop().finally(() => options.onLost?.(lost));
    });
    let stopping: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      await supervised.stop();
      await release();
    };
    return { connectionString: serverOptions.connectionString, stop: () => (stopping ??= stop()) };
  } catch (error) {
    await release();
    // Ctrl-C reaches initdb and the server, too: their failure is then a part of the stop.
    signal?.throwIfAborted();
    throw error;
  }
}

function serverSettings(options: EmbeddedPostgresOptions, port: number): ServerOptions['settings'] {
  return {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: options.maxConnections ?? 100,
    max_prepared_transactions: options.maxPreparedTransactions ?? 0,
    fsync: options.fsync === false ? 'off' : 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    // The log is about the server alone. A failed statement is reported to its client, and may hold values.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_line_prefix: '',
  };
}

async function start(
  optionsAt: (port: number) => ServerOptions,
  port: number | undefined,
  signal: AbortSignal | undefined,
): Promise<{ readonly server: RunningServer; readonly serverOptions: ServerOptions }> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const serverOptions = optionsAt(port ?? (await freePort()));
    try {
      return { server: await runServer(serverOptions, signal), serverOptions };
    } catch (error) {
      if (attempt === START_TRIES || signal?.aborted) throw error;
      serverOptions.logger.debug({ err: error, attempt }, 'the embedded Postgres did not start; trying again');
      await sleep(RETRY_DELAY_MS);
    }
  }
}

/** Starts the server again whenever it ends by itself, until stopped. */
function supervise(first: RunningServer, options: ServerOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let current = first;
  const loop = async (): Promise<void> => {
    for (let failures = 0; ;) {
      await current.ended;
      if (stopping.signal.aborted) return;
      options.logger.error({}, 'the embedded Postgres ended by itself; starting it again');
      const delayMs = Math.min(LONGEST_RESTART_DELAY_MS, RETRY_DELAY_MS * 2 ** failures);
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
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
