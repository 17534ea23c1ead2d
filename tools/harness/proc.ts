import { readdir, readFile } from 'node:fs/promises';

/**
 * Ticks per second of the CPU times in /proc: 100 on every architecture that Node supports.
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
const TICKS_PER_SECOND = 100;

/** A process in `/proc`. */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  /** CPU time in seconds, with that of children it has waited for. */
  readonly cpuSeconds: number;
}

/** Parses `/proc/<pid>/stat`, whose name may hold spaces and parentheses; null if it is invalid. */
export function parseStat(text: string): ProcessStat | null {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open === -1 || close < open) return null;
  const fields = text.slice(close + 2).split(' ');
  // Fields 14 to 17 of the line: utime, stime, cutime, cstime; the first after the name is field 3.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return {
    pid: Number(text.slice(0, open)),
    parent: Number(fields[1]),
    name: text.slice(open + 1, close),
    cpuSeconds: ticks / TICKS_PER_SECOND,
  };
}

/** Reads a process; null if it does not exist, or without `/proc`. */
export async function statOf(pid: number): Promise<ProcessStat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return parseStat(text);
}

/** Reads every process of this machine. */
export async function allProcesses(): Promise<readonly ProcessStat[]> {
  const names = await readdir('/proc').catch(() => []);
  const stats = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((pid) => statOf(Number(pid))));
  return stats.filter((stat) => stat !== null);
}

/** Returns the ids of a process and its descendants. */
export function treeOf(processes: readonly ProcessStat[], root: number): ReadonlySet<number> {
  const inTree = new Set([root]);
  for (let before = 0; before < inTree.size;) {
    before = inTree.size;
    for (const { pid, parent } of processes) if (inTree.has(parent)) inTree.add(pid);
  }
  return inTree;
}

/** Returns the CPU seconds of a process and its descendants. */
export function cpuOfTree(processes: readonly ProcessStat[], root: number): number {
  const inTree = treeOf(processes, root);
  return processes.reduce((sum, { pid, cpuSeconds }) => (inTree.has(pid) ? sum + cpuSeconds : sum), 0);
}

/** Returns the busy seconds of all cores since boot; null without `/proc`. */
export async function busySeconds(): Promise<number | null> {
  const text = await readFile('/proc/stat', 'utf8').catch(() => '');
  const [name, ...fields] = (text.split('\n')[0] ?? '').split(/\s+/);
  if (name !== 'cpu') return null;
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = fields.map(Number);
  return (user + nice + system + irq + softirq) / TICKS_PER_SECOND;
}

/**
 * Returns the memory of processes and their descendants in MB of 10^6 bytes; NaN where one cannot be read. What some
 * of them share counts once (`Pss`, https://man7.org/linux/man-pages/man5/proc_pid_smaps_rollup.5.html).
 */
export async function megabytesOfTrees(roots: readonly number[]): Promise<number> {
  const processes = await allProcesses();
  const pids = new Set(roots.flatMap((root) => [...treeOf(processes, root)]));
  const kibibytes = await Promise.all(
    Array.from(pids, async (pid) => {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
      // A descendant may have ended.
      const ended = roots.includes(pid) ? NaN : 0;
      return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? ended);
    }),
  );
  return (kibibytes.reduce((sum, one) => sum + one, 0) * 1_024) / 1e6;
}

/** Returns the resident memory of a process in MB of 10^6 bytes; NaN if it cannot be read. */
export async function residentMegabytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1];
  return (Number(kibibytes) * 1_024) / 1e6;
}
