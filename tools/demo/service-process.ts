import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@waybill/embedded-postgres';

/** A process of the service. */
export interface ServiceProcess {
  readonly baseUrl: string;
  readonly process: ChildProcess;
  /** Exit code; null after a signal. */
  readonly exited: Promise<number | null>;
  /**
   * Waits until the process is ready.
   * @throws Error if it exits or is not ready in time
   */
  ready(): Promise<void>;
  /** Stops the process and returns its exit code. */
  stop(): Promise<number | null>;
}

const entry = fileURLToPath(new URL('../../src/main.js', import.meta.url));
/** Node options of `npm start` and of the image. */
const nodeDefaults = ['--max-old-space-size=384'];
/** The first start creates a database. */
const READY_WITHIN_MS = 90_000;

/**
 * Starts the service on `PORT` or a free port.
 * @param nodeOptions options of Node such as `--cpu-prof`
 */
export async function spawnService(
  settings: Readonly<Record<string, string>>,
  logFile: string,
  nodeOptions: readonly string[] = [],
): Promise<ServiceProcess> {
  const port = settings.PORT ?? String(await freePort());
  // The child writes the file itself, at no cost to this process.
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, [...nodeDefaults, ...nodeOptions, entry], {
    env: { ...process.env, ...settings, HOST: '127.0.0.1', PORT: port },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    process: child,
    exited,
    ready: () => ready(baseUrl, child, logFile),
    stop: async () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/** Starts the service and waits until it is ready. */
export async function startService(...how: Parameters<typeof spawnService>): Promise<ServiceProcess> {
  const service = await spawnService(...how);
  await service.ready();
  return service;
}

async function ready(baseUrl: string, child: ChildProcess, logFile: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(
        `The service exited with ${child.exitCode ?? child.signalCode} before it was ready. See ${logFile}`,
      );
    const response = await fetch(`${baseUrl}/readyz`).catch(() => null);
    if (response?.ok) return;
    await sleep(100);
  }
  child.kill('SIGTERM');
  throw new Error(`The service was not ready within ${READY_WITHIN_MS / 1000} s. See ${logFile}`);
}
