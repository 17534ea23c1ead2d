import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The repository: this file is in dist/tools/demo/example. */
const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** The first start creates a database. */
const READY_WITHIN_MS = 90_000;
const POLL_MS = 50;

/** How a program is started, relative to the repository. */
export interface ProgramSettings {
  readonly name: string;
  readonly entry: string;
  readonly args?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Address that answers when the program is ready. Without one it is ready at once. */
  readonly readyUrl?: string;
}

/** A compiled program in a process of its own. It can be killed and started again. */
export class Program {
  private child: ChildProcess | null = null;
  private exited: Promise<string> = Promise.resolve('0');
  readonly name: string;
  readonly logFile: string;

  constructor(
    private readonly settings: ProgramSettings,
    folder: string,
  ) {
    this.name = settings.name;
    this.logFile = join(folder, `${settings.name}.log`);
  }

  /** Starts the program, and waits until it is ready. */
  async start(): Promise<void> {
    const { entry, args = [], environment } = this.settings;
    const log = openSync(this.logFile, 'a');
    const child = spawn(process.execPath, [join(root, entry), ...args], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.child = child;
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(String(code ?? signal)));
      child.once('error', (error) => resolve(error.message));
    });
    await this.ready(child);
  }

  /** Runs the program to its end. */
  async run(): Promise<void> {
    await this.start();
    const end = await this.exited;
    if (end !== '0') throw new Error(`${this.name} ended with ${end}. See ${this.logFile}`);
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    this.child?.kill('SIGKILL');
    await this.exited;
  }

  /** SIGTERM. Returns whether the program ended as it should. */
  async stop(): Promise<boolean> {
    this.child?.kill('SIGTERM');
    // Nest repeats the signal after its shutdown hooks. Ctrl+C in a terminal reaches every program before this signal.
    return ['0', 'SIGTERM', 'SIGINT'].includes(await this.exited);
  }

  private async ready(child: ChildProcess): Promise<void> {
    const { name, readyUrl } = this.settings;
    if (readyUrl === undefined) return;
    const deadline = Date.now() + READY_WITHIN_MS;
    while (!(await fetch(readyUrl).catch(() => null))?.ok) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${name} ended before it was ready. See ${this.logFile}`);
      if (Date.now() > deadline)
        throw new Error(`${name} was not ready within ${READY_WITHIN_MS / 1000} s. See ${this.logFile}`);
      await sleep(POLL_MS);
    }
  }
}
