import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import type { Logger } from './logger.js';
import { pidExists } from './process-identity.js';

const run = promisify(execFile);

/** One step of ending a server: the signal to send, and how long to wait afterwards, in milliseconds. */
interface EndStep {
  readonly signal: 'SIGINT' | 'SIGQUIT' | null;
  readonly waitMs: number;
}

/** Immediate shutdown: the server recovers at the next start, and no committed data is lost. */
const immediate: EndStep = { signal: 'SIGQUIT', waitMs: 10_000 };

/** First wait: the guard has seen the parent end and has signalled the server already. */
const leftoverSteps: readonly EndStep[] = [
  { signal: null, waitMs: 5_000 },
  { signal: 'SIGINT', waitMs: 30_000 },
  immediate,
];

/**
 * Ends the server that a killed process left on this cluster, and removes a stale `postmaster.pid`. Postgres refuses to
 * start when another process has the id in that file, which is usual after a crash in a container. Call it with the
 * folder locked.
 * @throws EmbeddedPostgresError when a server does not end
 */
export async function endLeftoverServer(cluster: string, pgCtl: string, logger: Logger): Promise<void> {
  const pid = await readPid(cluster);
  if (pid === null) return;
  if (process.platform === 'win32') {
    await run(pgCtl, ['stop', '-D', cluster, '-m', 'fast']).catch(() => {});
    return;
  }
  if (await isServerOf(pid, cluster)) {
    logger.warn({ pid }, 'ending the embedded Postgres that a killed process left running');
    if (!(await endServer(pid, cluster, leftoverSteps))) {
      throw new EmbeddedPostgresError(
        'leftover_server',
        `Another Postgres (process ${pid}) runs on ${cluster} and does not end.`,
      );
    }
  }
  await rm(path.join(cluster, 'postmaster.pid'), { force: true });
}

/** Ends a running server by an immediate shutdown; it recovers at the next start. */
export async function endServerAtOnce(cluster: string): Promise<void> {
  const pid = await readPid(cluster);
  if (pid !== null && (await isServerOf(pid, cluster))) await endServer(pid, cluster, [immediate]);
}

/** Returns the process id in `postmaster.pid`, NaN for a damaged file, null without one. */
async function readPid(cluster: string): Promise<number | null> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => null);
  // Negative for a single-user server.
  return text === null ? null : Math.abs(Number.parseInt(text, 10));
}

async function endServer(pid: number, cluster: string, steps: readonly EndStep[]): Promise<boolean> {
  for (const { signal, waitMs } of steps) {
    if (signal) signalIfRunning(pid, signal);
    const deadline = performance.now() + waitMs;
    while (performance.now() < deadline) {
      if (!(await isServerOf(pid, cluster))) return true;
      await sleep(50);
    }
  }
  return false;
}

/** Sends a signal to a process that may have ended since it was checked. */
function signalIfRunning(pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Returns whether the process with this id is a Postgres on `cluster`. */
async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 1 || !pidExists(pid)) return false;
  if (process.platform === 'linux') {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => null);
    return name.trim() === 'postgres' && cwd === (await realpath(cluster));
  }
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes('postgres') && stdout.includes(cluster);
}
