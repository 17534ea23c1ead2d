import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Distinguishes a process from every other one, and from a later process with the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in the system's own notation; null where the system does not tell. */
  readonly startedAt: string | null;
  /** Where `pid` is valid: one boot of one machine, and one PID namespace (container) of it. */
  readonly space: string;
}

/** Returns the identity of this process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid: process.pid, startedAt: await startTime(process.pid), space: await ownSpace() };
}

/** Returns whether a process runs; `unknown` for one of another space, or when its id may have been reused. */
export async function isRunning(identity: ProcessIdentity): Promise<'yes' | 'no' | 'unknown'> {
  if (identity.space !== (await ownSpace())) return 'unknown';
  if (!pidExists(identity.pid)) return 'no';
  const startedAt = await startTime(identity.pid);
  if (startedAt === null || identity.startedAt === null) return 'unknown';
  return startedAt === identity.startedAt ? 'yes' : 'no';
}

/** Returns whether a process with this id exists, of any account. */
export function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function ownSpace(): Promise<string> {
  if (process.platform !== 'linux') return hostname();
  const [boot, namespace] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => hostname()),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  return `${boot.trim()} ${namespace}`;
}

async function startTime(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    // proc(5): field 3 is the state, field 22 the start in clock ticks since boot. Field 2, the name in brackets, may
    // hold anything. A zombie has ended, though its parent may never reap it.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields?.[0] === 'Z' || fields?.[0] === 'X') return 'ended';
    return fields?.[19] ?? null;
  }
  if (process.platform === 'win32') return null;
  const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim() || null;
}
