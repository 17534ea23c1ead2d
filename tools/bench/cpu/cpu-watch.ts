import { allProcesses, busySeconds, cpuOfTree } from '../../harness/proc.js';
import { rounded } from '../../harness/statistics.js';
import type { CpuPercent } from '../result.js';

/** CPU use between two moments. */
export interface CpuUse {
  readonly wallSeconds: number;
  /** CPU seconds by process name. */
  readonly seconds: Readonly<Record<string, number>>;
  /** Percent of one core; `others` are all other processes of the machine. Empty without `/proc`. */
  readonly percent: CpuPercent;
}

/** Measures the CPU use of processes and their descendants. */
export class CpuWatch {
  private constructor(
    private readonly roots: ReadonlyMap<string, number>,
    private readonly before: Reading,
  ) {}

  /**
   * Starts a measurement.
   * @param roots process ids by name; null (a server on another machine) is left out. This process is added as `bench`,
   * without its descendants
   */
  static async start(roots: Readonly<Record<string, number | null>>): Promise<CpuWatch> {
    const known = Object.entries(roots).flatMap(([name, pid]) => (pid === null ? [] : [[name, pid] as const]));
    const map = new Map(known);
    return new CpuWatch(map, await read(map));
  }

  /** Returns the CPU use since the start. */
  async stop(): Promise<CpuUse> {
    const after = await read(this.roots);
    const wallSeconds = (after.atMs - this.before.atMs) / 1_000;
    const seconds: Record<string, number> = {};
    for (const [name, used] of after.seconds) seconds[name] = used - (this.before.seconds.get(name) ?? 0);
    if (after.busy === null || this.before.busy === null) return { wallSeconds, seconds, percent: {} };
    const ours = Object.values(seconds).reduce((sum, one) => sum + one, 0);
    const others = Math.max(0, after.busy - this.before.busy - ours);
    const percent = Object.entries({ ...seconds, others }).map(([name, used]) => [
      name,
      rounded((used / wallSeconds) * 100),
    ]);
    return { wallSeconds, seconds, percent: Object.fromEntries(percent) };
  }
}

interface Reading {
  readonly atMs: number;
  readonly seconds: ReadonlyMap<string, number>;
  readonly busy: number | null;
}

async function read(roots: ReadonlyMap<string, number>): Promise<Reading> {
  const atMs = performance.now();
  const [processes, busy] = await Promise.all([allProcesses(), busySeconds()]);
  const seconds = new Map(Array.from(roots, ([name, pid]) => [name, cpuOfTree(processes, pid)] as const));
  const { user, system } = process.cpuUsage();
  seconds.set('bench', (user + system) / 1e6);
  return { atMs, seconds, busy };
}
