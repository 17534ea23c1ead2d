import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Logger } from '../../logging/logger.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { exists } from './process-identity.js';

const run = promisify(execFile);

/** How a server is asked to end, and how long it is waited for after each, in milliseconds. */
const steps = [
  // Its guard has seen that its parent is gone, and it is writing down what it has.
  { signal: null, waitMs: 5_000 },
  { signal: 'SIGINT', waitMs: 30_000 },
  // Ends at once and recovers at the next start; nothing that was committed is lost.
  { signal: 'SIGQUIT', waitMs: 10_000 },
] as const;

/**
 * Ends the server that a killed process left behind on this data folder, if there is one, and removes the `postmaster.pid` of
 * one that is gone: Postgres itself would refuse to start when another process has been given the number that stands in it,
 * which after a crash in a container is usual. Only for who holds the lock of the folder.
 * @throws EmbeddedPostgresError when a server does not end.
 */
export async function clearLeftoverServer(cluster: string, pgCtl: string, logger: Logger): Promise<void> {
  const file = path.join(cluster, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return;
  const pid = Math.abs(Number.parseInt(text, 10));
  if (process.platform === 'win32') {
    await run(pgCtl, ['stop', '-D', cluster, '-m', 'fast']).catch(() => {});
    return;
  }
  if (await isServerOf(pid, cluster)) {
    logger.warn({ pid }, 'ending the embedded Postgres that a killed process left behind');
    if (!(await endServer(pid, cluster, steps))) {
      throw new EmbeddedPostgresError(
        `Another Postgres (process ${pid}) runs on ${cluster} and does not end.`,
      );
    }
  }
  await rm(file, { force: true });
}

/** Ends a running server at once: it gets no time to write down what it has, and recovers it at the next start. */
export async function endServerAtOnce(cluster: string): Promise<void> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Math.abs(Number.parseInt(text, 10));
  if (pid > 0 && (await isServerOf(pid, cluster)))
    await endServer(pid, cluster, [{ signal: 'SIGQUIT', waitMs: 10_000 }]);
}

async function endServer(
  pid: number,
  cluster: string,
  how: readonly { readonly signal: 'SIGINT' | 'SIGQUIT' | null; readonly waitMs: number }[],
): Promise<boolean> {
  for (const { signal, waitMs } of how) {
    if (signal) signalIfThere(pid, signal);
    const deadline = performance.now() + waitMs;
    while (performance.now() < deadline) {
      if (!(await isServerOf(pid, cluster))) return true;
      await sleep(50);
    }
  }
  return false;
}

/** It may end between our look and our signal, which is what we want of it. */
function signalIfThere(pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Whether the process with this number is a Postgres whose data folder is `cluster`. */
async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 1 || !exists(pid)) return false;
  if (process.platform === 'linux') {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null);
    return name.trim() === 'postgres' && folder === (await realpath(cluster));
  }
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes('postgres') && stdout.includes(cluster);
}
