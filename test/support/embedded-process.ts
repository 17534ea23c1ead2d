import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A process of its own that runs an embedded Postgres. */
export interface EmbeddedProcess {
  readonly pid: number;
  /** Set once it takes queries. */
  readonly connectionString: string;
  /** Sends the signal and waits for the process (not the server) to end. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Who runs it and with which options of `startEmbeddedPostgres`. */
export interface EmbeddedProcessOptions {
  readonly dataDir: string;
  readonly installed?: string;
  readonly uid?: number;
  readonly gid?: number;
}

const PROGRAM = `
import { startEmbeddedPostgres } from './src/database/embedded/embedded-postgres.js';
import { createLogger } from './src/logging/logger.js';
const options = JSON.parse(process.argv[1]);
const server = await startEmbeddedPostgres({ ...options, logger: createLogger('silent') }).catch((error) => {
  process.stdout.write(JSON.stringify({ error: error.message }) + '\\n');
  process.exit(1);
});
process.on('SIGINT', () => {});
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
process.stdout.write(JSON.stringify({ connectionString: server.connectionString }) + '\\n');
`;

/** Starts the process without waiting for what it does; in a process group of its own, as a shell starts a job. */
export function spawnEmbedded(compiled: string, options: EmbeddedProcessOptions): ChildProcess {
  const { uid, gid, ...rest } = options;
  return spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, JSON.stringify(rest)], {
    cwd: compiled,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    ...(uid === undefined ? {} : { uid, gid }),
  });
}

/**
 * Starts an embedded Postgres in a process of its own and waits until it takes queries.
 * @param compiled a folder of `compileSources('database/embedded/embedded-postgres.ts', 'logging/logger.ts')`.
 * @throws Error with the message of what `startEmbeddedPostgres` threw there.
 */
export async function startEmbeddedProcess(
  compiled: string,
  options: EmbeddedProcessOptions,
): Promise<EmbeddedProcess> {
  const child = spawnEmbedded(compiled, options);
  if (!child.stdout || child.pid === undefined) throw new Error('the process could not be started');
  const [line]: unknown[] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit'),
  ]);
  const said: unknown =
    typeof line === 'string' ? JSON.parse(line) : { error: `it ended with ${String(line)}` };
  if (typeof said !== 'object' || said === null || !('connectionString' in said)) {
    throw new Error(
      typeof said === 'object' && said !== null && 'error' in said ? String(said.error) : 'it said nothing',
    );
  }
  const kill = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return { pid: child.pid, connectionString: String(said.connectionString), kill };
}
