import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../logging/logger.js';
import { refusalOf } from '../reachable.js';
import type { PostgresBinaries } from './binaries.js';
import type { ClusterPlace } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { clearLeftoverServer, endServerAtOnce } from './leftover-server.js';
import { startWithParent, type GuardedProcess } from './process-with-parent.js';
import { runProgram } from './run-program.js';

/** What one run of the server needs. */
export interface ServerOptions {
  readonly binaries: PostgresBinaries;
  readonly place: ClusterPlace;
  /** Settings of postgresql.conf that win over it. */
  readonly settings: Readonly<Record<string, string | number>>;
  readonly connectionString: string;
  readonly logger: Logger;
}

/** One run of the server. */
export interface RunningServer {
  /** Resolves when the server has ended, whoever ended it. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** How long a stopping server may take to write down what it has before it is ended at once, in milliseconds. */
const STOP_DEADLINE_MS = 30_000;

/**
 * Runs Postgres until `stop()`; resolves when it takes queries, which after a crash is when it has recovered.
 * @throws EmbeddedPostgresError with what the server said, when it ends while starting or does not let us in.
 */
export async function runServer(options: ServerOptions): Promise<RunningServer> {
  const { binaries, place, logger } = options;
  await clearLeftoverServer(place.cwd, binaries.pgCtl, logger);
  const settings = Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = startWithParent(binaries.postgres, ['-D', place.folder, ...settings], 'INT', place);
  const said = readLog(server, logger);
  const running = (): boolean =>
    server.pid !== undefined && server.exitCode === null && server.signalCode === null;
  const ended = endOf(server, said);

  const stop = async (): Promise<void> => {
    const stopped = process.platform === 'win32' ? pgCtlStop(options) : Promise.resolve();
    if (process.platform !== 'win32') server.stdin.end();
    await stopped;
    const deadline = AbortSignal.timeout(STOP_DEADLINE_MS);
    await Promise.race([ended, once(deadline, 'abort')]);
    if (running()) {
      logger.warn('the embedded Postgres takes too long to stop and is ended; it recovers at the next start');
      await endServerAtOnce(place.cwd);
    }
    await ended;
  };

  const started = performance.now();
  let nextNotice = 10_000;
  while (running()) {
    const refusal = await refusalOf(options.connectionString);
    if (refusal === null) return { ended, stop };
    if (!refusal.mayPass) {
      await stop();
      throw new EmbeddedPostgresError(
        `The embedded Postgres does not let Waybill in: ${refusal.error.message}`,
      );
    }
    if (performance.now() - started > nextNotice) {
      nextNotice += 10_000;
      logger.info('the embedded Postgres is still starting: it recovers from the way it ended last time');
    }
    await Promise.race([ended, sleep(30)]);
  }
  throw new EmbeddedPostgresError(
    `The embedded Postgres ended while it was starting. It said:\n${said.join('\n')}`,
  );
}

async function endOf(server: GuardedProcess, said: string[]): Promise<void> {
  try {
    await once(server, 'exit');
  } catch (error) {
    said.push(error instanceof Error ? error.message : String(error));
  }
}

async function pgCtlStop({ binaries, place, logger }: ServerOptions): Promise<void> {
  const { code, output } = await runProgram(
    binaries.pgCtl,
    ['stop', '-D', place.folder, '-m', 'fast'],
    place,
  );
  if (code !== 0) logger.warn({ output }, 'pg_ctl could not stop the embedded Postgres');
}

/** Passes the server's log on to ours, and returns its last lines. It holds no statements and no values (see settings). */
function readLog(server: GuardedProcess, logger: Logger): string[] {
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
