import { setTimeout as sleep } from 'node:timers/promises';
import type { CallCount, EarlyCalls, Fault, ReceivedCount, ReceivedEvent } from '@waybill/sandbox';
import type { TargetKind } from '../../src/targets/target.js';
import { PrintingProgram } from './printing-program.js';

/** A sandbox in a separate process. */
export interface SandboxProcess {
  readonly pid: number | null;
  /** Environment variables that point the service at it. */
  readonly environment: Readonly<Record<string, string>>;
  counts(): Promise<readonly ReceivedCount[]>;
  /** Returns the calls since the last clear. */
  calls(): Promise<readonly CallCount[]>;
  /** Returns the events that arrived at a target; empty if the sandbox only counts. */
  received(target: TargetKind): Promise<readonly ReceivedEvent[]>;
  /** Returns the events of all targets, in the order of arrival. */
  allReceived(): Promise<readonly ReceivedEvent[]>;
  script(fault: Fault): Promise<void>;
  /** Returns the active faults. */
  faults(): Promise<readonly Fault[]>;
  /** Removes all faults. */
  clearFaults(): Promise<void>;
  /** Makes the sandbox refuse all connections for a time, and waits until it listens again. */
  stopListening(ms: number): Promise<void>;
  /** Returns the calls that did not respect a Retry-After, by address. */
  earlyCalls(): Promise<readonly EarlyCalls[]>;
  /** Removes all events and faults. */
  clear(): Promise<void>;
  /** Returns when it was cleared last, or started. */
  clearedAt(): Date;
  close(): Promise<void>;
}

/**
 * Starts a sandbox on free ports.
 * @param countOnly counts events without keeping them
 */
export async function startSandboxProcess(countOnly: boolean): Promise<SandboxProcess> {
  const args = ['--port', '0', '--tls-port', '0', ...(countOnly ? ['--count-only'] : [])];
  const program = await PrintingProgram.start(new URL('main.js', import.meta.resolve('@waybill/sandbox')), args);
  const { url, environment } = JSON.parse(program.line) as { url: string; environment: Record<string, string> };
  const request = async (method: string, path: string, body?: unknown): Promise<string> => {
    const response = await fetch(`${url}/_sandbox/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`The sandbox returned ${response.status}: ${await response.text()}`);
    return response.text();
  };
  let clearedAt = new Date();
  return {
    pid: program.pid,
    environment,
    counts: async () => JSON.parse(await request('GET', 'counts')) as ReceivedCount[],
    calls: async () => JSON.parse(await request('GET', 'calls')) as CallCount[],
    received: async (target) => eventsOf(await request('GET', `received?target=${target}`)),
    allReceived: async () => eventsOf(await request('GET', 'received')),
    script: async (fault) => void (await request('POST', 'faults', fault)),
    faults: async () => JSON.parse(await request('GET', 'faults')) as Fault[],
    clearFaults: async () => void (await request('DELETE', 'faults')),
    stopListening: async (ms) => {
      await request('POST', 'away', { forMs: ms });
      await sleep(ms);
      while (!(await fetch(`${url}/_sandbox/health`).catch(() => null))?.ok) await sleep(50);
    },
    earlyCalls: async () => JSON.parse(await request('GET', 'early-calls')) as EarlyCalls[],
    clear: async () => {
      await request('POST', 'clear');
      clearedAt = new Date();
    },
    clearedAt: () => clearedAt,
    close: () => program.stop(),
  };
}

function eventsOf(lines: string): readonly ReceivedEvent[] {
  return lines
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as ReceivedEvent);
}
