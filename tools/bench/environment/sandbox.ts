import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TargetKind } from '../../../src/targets/target.js';
import type { EarlyCalls, Fault, ReceivedCount, ReceivedEvent } from '../../sandbox/sandbox-contract.js';

const entry = fileURLToPath(new URL('../../sandbox/main.js', import.meta.url));

/** A sandbox in a process of its own. */
export interface SandboxProcess {
  readonly pid: number;
  /** Environment variables that point the service at it. */
  readonly environment: Readonly<Record<string, string>>;
  counts(): Promise<readonly ReceivedCount[]>;
  /** Everything that arrived; nothing where it only counts. */
  received(target: TargetKind): Promise<readonly ReceivedEvent[]>;
  /** Everything that arrived at all targets, in the order of arrival. */
  allReceived(): Promise<readonly ReceivedEvent[]>;
  script(fault: Fault): Promise<void>;
  /** The faults that are still in force. */
  faults(): Promise<readonly Fault[]>;
  /** Ends every fault. */
  clearFaults(): Promise<void>;
  /** Has it refuse connections for so long, its own controls too, and waits until it is back. */
  goAway(ms: number): Promise<void>;
  /** For each address that asked for a wait: how often, and how many calls came before it was over. */
  earlyCalls(): Promise<readonly EarlyCalls[]>;
  /** Forgets what was received and every fault. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a sandbox on free ports.
 * @param countOnly it counts what arrives and keeps nothing of it
 */
export async function startSandboxProcess(countOnly: boolean): Promise<SandboxProcess> {
  const args = ['--port', '0', '--tls-port', '0', ...(countOnly ? ['--count-only'] : [])];
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line]: unknown[] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  if (typeof line !== 'string' || child.pid === undefined)
    throw new Error(`The sandbox ended with ${String(line)}.`);
  const { url, environment } = JSON.parse(line) as { url: string; environment: Record<string, string> };
  const ask = async (method: string, path: string, body?: unknown): Promise<string> => {
    const answer = await fetch(`${url}/_sandbox/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}: ${await answer.text()}`);
    return answer.text();
  };
  return {
    pid: child.pid,
    environment,
    counts: async () => JSON.parse(await ask('GET', 'counts')) as ReceivedCount[],
    received: async (target) => eventsOf(await ask('GET', `received?target=${target}`)),
    allReceived: async () => eventsOf(await ask('GET', 'received')),
    script: async (fault) => void (await ask('POST', 'faults', fault)),
    faults: async () => JSON.parse(await ask('GET', 'faults')) as Fault[],
    clearFaults: async () => void (await ask('DELETE', 'faults')),
    goAway: async (ms) => {
      await ask('POST', 'away', { forMs: ms });
      await sleep(ms);
      while (!(await fetch(`${url}/_sandbox/health`).catch(() => null))?.ok) await sleep(50);
    },
    earlyCalls: async () => JSON.parse(await ask('GET', 'early-calls')) as EarlyCalls[],
    clear: async () => void (await ask('POST', 'clear')),
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function eventsOf(lines: string): readonly ReceivedEvent[] {
  return lines
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as ReceivedEvent);
}
