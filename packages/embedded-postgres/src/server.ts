import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresBinaries } from './binaries.js';
import { checkConnection } from './check-connection.js';
import type { ClusterContext } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { endLeftoverServer, endServerAtOnce } from './leftover-server.js';
import type { Logger } from './logger.js';
import { startWithParent, type GuardedProcess } from './process-with-parent.js';
import { runProgram } from './run-program.js';

/** What one run of the server needs. */
export interface ServerOptions {
  readonly binaries: PostgresBinaries;
  readonly context: ClusterContext;
  /** Settings that take precedence over postgresql.conf. */
  readonly settings: Readonly<Record<string, string | number>>;
  readonly connectionString: string;
  readonly logger: Logger;
}

/** One run of the server. */
export interface RunningServer {
  /** Resolves when the server has ended, for whatever reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** How long a fast shutdown may take before the server is ended at once, in milliseconds. */
const STOP_TIMEOUT_MS = 30_000;

/** How often a start that takes long is logged, in milliseconds. */
const NOTICE_INTERVAL_MS = 10_000;

/**
 * Runs Postgres until `stop()`. Resolves when the server answers queries; after a crash, that is after its recovery.
 * @param signal aborts the start
 * @throws EmbeddedPostgresError with the server's output, when it ends while starting or refuses the connection; the
 * reason of `signal` when it aborts
 */
export async function runServer(options: ServerOptions, signal?: AbortSignal): Promise<RunningServer> {
  const { binaries, context, logger } = options;
  await endLeftoverServer(context.cwd, binaries.pgCtl, logger);
  const settings = Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = startWithParent(binaries.postgres, ['-D', context.dataArgument, ...settings], {
    ...context,
    endSignal: 'INT',
  });
  const lastLines = forwardLog(server, logger);
  const running = (): boolean => server.pid !== undefined && server.exitCode === null && server.signalCode === null;
  const ended = waitForExit(server, lastLines);

  const stop = async (): Promise<void> => {
    if (process.platform === 'win32') await pgCtlStop(options);
    else server.stdin.end();
    await Promise.race([ended, once(AbortSignal.timeout(STOP_TIMEOUT_MS), 'abort')]);
    if (running()) {
      logger.warn(
        { timeoutMs: STOP_TIMEOUT_MS },
        'the embedded Postgres did not stop in time and is ended at once; it recovers at the next start',
      );
      await endServerAtOnce(context.cwd);
    }
    await ended;
  };

  const started = performance.now();
  let nextNotice = NOTICE_INTERVAL_MS;
  while (running()) {
    const failure = await checkConnection(options.connectionString);
    if (signal?.aborted) {
      await stop();
      throw signal.reason;
    }
    if (failure === null) return { ended, stop };
    if (!failure.transient) {
      await stop();
      throw new EmbeddedPostgresError(
        'start_failed',
        `The embedded Postgres refuses the connection: ${failure.error.message}`,
      );
    }
    if (performance.now() - started > nextNotice) {
      nextNotice += NOTICE_INTERVAL_MS;
      logger.info({}, 'the embedded Postgres is still starting: it recovers after a crash');
    }
    await Promise.race([ended, sleep(30)]);
  }
  throw new EmbeddedPostgresError(
    'start_failed',
    `The embedded Postgres ended while it was starting. Output:\n${lastLines.join('\n')}`,
  );
}

async function waitForExit(server: GuardedProcess, lastLines: string[]): Promise<void> {
  try {
    await once(server, 'exit');
  } catch (error) {
    lastLines.push(error instanceof Error ? error.message : String(error));
  }
}

async function pgCtlStop({ binaries, context, logger }: ServerOptions): Promise<void> {
  const args = ['stop', '-D', context.dataArgument, '-m', 'fast'];
  const { code, output } = await runProgram(binaries.pgCtl, args, context);
  if (code !== 0) logger.warn({ output }, 'pg_ctl could not stop the embedded Postgres');
}

/** Forwards the server's log, and returns its last lines. The settings keep statements and values out of that log. */
function forwardLog(server: GuardedProcess, logger: Logger): string[] {
  const last: string[] = [];
  server.stdout.resume();
  createInterface(server.stderr).on('line', (line) => {
    last.push(line);
    if (last.length > 20) last.shift();
    if (line.startsWith('PANIC')) logger.error({ postgres: line }, 'the embedded Postgres failed');
    else logger.debug({ postgres: line }, 'embedded Postgres');
  });
  return last;
}
