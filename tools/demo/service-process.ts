import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A Waybill in a process of its own. */
export interface ServiceProcess {
  readonly baseUrl: string;
  readonly process: ChildProcess;
  /** Its exit code once it has ended, however it ended; null where a signal ended it. */
  readonly exited: Promise<number | null>;
  /**
   * Waits until it says that it is ready.
   * @throws Error when it ends or is not ready in time
   */
  ready(): Promise<void>;
  /** Asks it to stop and waits until it has; gives its exit code. */
  stop(): Promise<number | null>;
}

const entry = fileURLToPath(new URL('../../src/main.js', import.meta.url));
/** Options of Node with which `npm start` and the image run the service. */
const asShipped = ['--max-old-space-size=384'];
/** How long the service may take until it is ready: the first start makes a database. */
const READY_WITHIN_MS = 90_000;

/** A port of this machine that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port was to be had.');
  return address.port;
}

/**
 * Starts the real service with these settings on a free port (or on `PORT`). Its log goes to `logFile`.
 * @param nodeOptions options of Node itself, such as `--cpu-prof`
 */
export async function spawnService(
  settings: Readonly<Record<string, string>>,
  logFile: string,
  nodeOptions: readonly string[] = [],
): Promise<ServiceProcess> {
  const port = settings.PORT ?? String(await freePort());
  // It writes to the file itself: what it logs costs this process nothing.
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, [...asShipped, ...nodeOptions, entry], {
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

/** `spawnService`, and waits until it is ready. */
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
        `The service ended with ${child.exitCode ?? child.signalCode} before it was ready: see ${logFile}`,
      );
    const response = await fetch(`${baseUrl}/readyz`).catch(() => null);
    if (response?.ok) return;
    await sleep(100);
  }
  child.kill('SIGTERM');
  throw new Error(`The service was not ready within ${READY_WITHIN_MS / 1000} s: see ${logFile}`);
}
