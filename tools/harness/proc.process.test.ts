import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allProcesses, cpuOfTree, megabytesOfTrees, parseStat, statOf, treeOf } from './proc.js';

const line = (pid: number, parent: number, name: string, ticks: readonly number[]) =>
  `${pid} (${name}) S ${parent} 1 1 0 -1 4194560 100 0 0 0 ${ticks.join(' ')} 20 0 1 0 100 1000 10`;

describe('parseStat', () => {
  it('reads id, parent, name and all four CPU times', () => {
    expect(parseStat(line(12, 3, 'node', [100, 50, 25, 25]))).toEqual({
      pid: 12,
      parent: 3,
      name: 'node',
      cpuSeconds: 2,
    });
  });

  it('accepts parentheses in the name', () => {
    expect(parseStat(line(7, 1, 'a) R 99 (b', [100, 0, 0, 0]))).toMatchObject({
      parent: 1,
      name: 'a) R 99 (b',
      cpuSeconds: 1,
    });
  });

  it('returns null for an invalid line', () => {
    expect(parseStat('')).toBeNull();
  });
});

describe('cpuOfTree', () => {
  it('adds up a process and its descendants only', () => {
    const tree = [
      line(5, 4, 'grandchild', [300, 0, 0, 0]),
      line(4, 2, 'child', [200, 0, 0, 0]),
      line(2, 1, 'root', [100, 0, 0, 0]),
      line(3, 1, 'stranger', [900, 0, 0, 0]),
    ].map((text) => parseStat(text)!);
    expect(cpuOfTree(tree, 2)).toBe(6);
    expect(cpuOfTree(tree, 99)).toBe(0);
  });
});

describe.runIf(process.platform === 'linux')('megabytesOfTrees', () => {
  it('counts a process once, with its descendants', async () => {
    const child = spawn('sh', ['-c', `${process.execPath} -e 'console.log(1); setInterval(() => {}, 1_000);'; true`], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    const { pid = 0 } = child;
    onTestFinished(() => void process.kill(-pid));
    await once(child.stdout, 'data');
    const alone = await megabytesOfTrees([pid]);
    expect(alone).toBeGreaterThan(5);
    const processes = await allProcesses();
    const descendant = [...treeOf(processes, pid)].find((one) => one !== pid) ?? 0;
    expect(await megabytesOfTrees([pid, descendant])).toBeLessThan(1.5 * alone);
    expect(await megabytesOfTrees([])).toBe(0);
  });
});

describe.runIf(process.platform === 'linux')('statOf', () => {
  // Not this process: its figure includes the children of earlier test files.
  it('reads a process', async () => {
    const script = 'console.log(JSON.stringify(process.cpuUsage())); setInterval(() => {}, 1_000);';
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill());
    const [printed] = (await once(child.stdout, 'data')) as [Buffer];
    const { user, system } = JSON.parse(printed.toString()) as NodeJS.CpuUsage;
    const stat = await statOf(child.pid ?? 0);
    expect(stat?.parent).toBe(process.pid);
    expect(Math.abs((stat?.cpuSeconds ?? 0) - (user + system) / 1e6)).toBeLessThan(0.5);
  });
});
