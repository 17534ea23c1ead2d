import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Tells one process from every other one, also from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in whatever way this system says so; null where it cannot be known. */
  readonly startedAt: string | null;
  /** The space in which `pid` means something: one boot of one machine, and one container of it. */
  readonly space: string;
}

/** The identity of this process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid: process.pid, startedAt: await startOf(process.pid), space: await ownSpace() };
}

/** Whether a process still runs; `unknown` when it belongs to another space, or when its number may have been given away. */
export async function isRunning(identity: ProcessIdentity): Promise<'yes' | 'no' | 'unknown'> {
  if (identity.space !== (await ownSpace())) return 'unknown';
  if (!exists(identity.pid)) return 'no';
  const startedAt = await startOf(identity.pid);
  if (startedAt === null || identity.startedAt === null) return 'unknown';
  return startedAt === identity.startedAt ? 'yes' : 'no';
}

/** Whether there is a process with this number, of whomever. */
export function exists(pid: number): boolean {
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

async function startOf(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    // proc(5): field 22 is the start in clock ticks since boot, field 3 the state; field 2 is the name in brackets and may
    // hold anything. A zombie has ended: it waits for its parent to ask after it, and some never do.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields?.[0] === 'Z' || fields?.[0] === 'X') return 'ended';
    return fields?.[19] ?? null;
  }
  if (process.platform === 'win32') return null;
  const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim() || null;
}
