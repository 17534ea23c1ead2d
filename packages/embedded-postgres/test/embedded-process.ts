import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { compilePackage } from './compile-package.js';

/** A separate process that runs an embedded Postgres. */
export interface EmbeddedProcess {
  readonly pid: number;
  readonly connectionString: string;
  /** Sends the signal and waits until the process (not the server) has ended. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** The account of the process and options of `startEmbeddedPostgres`. */
export interface EmbeddedProcessOptions {
  readonly folder: string;
  readonly binaries?: string;
  readonly uid?: number;
  readonly gid?: number;
}

const PROGRAM = `
import { startEmbeddedPostgres } from './dist/index.js';
const server = await startEmbeddedPostgres(JSON.parse(process.argv[1])).catch((error) => {
  process.stdout.write(JSON.stringify({ error: error.message }) + '\\n');
  process.exit(1);
});
process.on('SIGINT', () => {});
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
process.stdout.write(JSON.stringify({ connectionString: server.connectionString }) + '\\n');
`;

/** Compiles this package into a new temporary folder that every account can read. The caller removes it. */
export async function compileToTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'embedded-postgres-compiled-'));
  await chmod(folder, 0o755);
  await compilePackage(folder);
  await symlink(path.resolve(import.meta.dirname, '../../../node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** Starts the process and does not wait. It leads a process group of its own, like a job of a shell. */
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
 * Starts an embedded Postgres in a separate process and waits until the server answers queries.
 * @param compiled a folder of `compileToTemporaryFolder`
 * @throws Error with the message of the error that `startEmbeddedPostgres` threw there
 */
export async function startEmbeddedProcess(
  compiled: string,
  options: EmbeddedProcessOptions,
): Promise<EmbeddedProcess> {
  const child = spawnEmbedded(compiled, options);
  if (!child.stdout || child.pid === undefined) throw new Error('the process could not be started');
  const [line]: unknown[] = await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit')]);
  const report: unknown = typeof line === 'string' ? JSON.parse(line) : { error: `it ended with ${String(line)}` };
  if (typeof report !== 'object' || report === null || !('connectionString' in report)) {
    throw new Error(
      typeof report === 'object' && report !== null && 'error' in report ? String(report.error) : 'no output',
    );
  }
  const kill = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return { pid: child.pid, connectionString: String(report.connectionString), kill };
}
