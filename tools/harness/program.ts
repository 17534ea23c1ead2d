import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The first start of the service creates a database, which may take minutes on a slow machine. */
const READY_WITHIN_MS = 600_000;
const POLL_MS = 50;

/** How a program is started. */
export interface ProgramOptions {
  readonly name: string;
  /** Options of Node, the compiled file, and its arguments. */
  readonly args: readonly string[];
  /** Environment variables beside those of this process. */
  readonly settings: Readonly<Record<string, string>>;
  /** What the program prints is appended to it. */
  readonly logFile: string;
  /** Address of a program that serves HTTP. */
  readonly baseUrl?: string;
  /** Path that answers with 200 when the program is ready. Without one it is ready at once. */
  readonly readyPath?: string;
}

/** Returns the path of a compiled file of the repository: this file is in dist/tools/harness. */
export function compiled(file: string): string {
  return fileURLToPath(new URL(`../../../${file}`, import.meta.url));
}

/** A compiled program in a process of its own. It can be killed and started again. */
export class Program {
  private child: ChildProcess | undefined;
  private ended: Promise<number | null> = Promise.resolve(0);

  constructor(private readonly options: ProgramOptions) {}

  get name(): string {
    return this.options.name;
  }

  get baseUrl(): string {
    return this.options.baseUrl ?? '';
  }

  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  /** Resolves with the exit code when the program has ended; null after a signal. */
  get exited(): Promise<number | null> {
    return this.ended;
  }

  /** The signal that ended the program. */
  get endSignal(): NodeJS.Signals | null {
    return this.child?.signalCode ?? null;
  }

  /** Starts the program, and does not wait. */
  spawn(): void {
    const { args, settings, logFile } = this.options;
    // The child writes the file itself, at no cost to this process.
    const log = openSync(logFile, 'a');
    const child = spawn(process.execPath, args, { env: { ...process.env, ...settings }, stdio: ['ignore', log, log] });
    closeSync(log);
    this.child = child;
    this.ended = new Promise((resolve) => {
      child.once('exit', (code) => resolve(code));
      child.once('error', () => resolve(1));
    });
  }

  /** Starts the program, and waits until it is ready. */
  async start(): Promise<void> {
    this.spawn();
    await this.ready();
  }

  /** Runs the program to its end. @throws Error unless its exit code is 0 */
  async run(): Promise<void> {
    this.spawn();
    const code = await this.ended;
    if (code !== 0) throw new Error(`${this.name} ended with ${code ?? this.endSignal}. See ${this.options.logFile}`);
  }

  /**
   * Waits until the program is ready.
   * @throws Error if it ends or is not ready in time
   */
  async ready(): Promise<void> {
    const { name, logFile, readyPath } = this.options;
    if (readyPath === undefined) return;
    const deadline = Date.now() + READY_WITHIN_MS;
    while (!(await fetch(`${this.baseUrl}${readyPath}`).catch(() => null))?.ok) {
      const end = this.child?.exitCode ?? this.endSignal;
      if (end !== null) throw new Error(`${name} ended with ${end} before it was ready. See ${logFile}`);
      if (Date.now() > deadline) {
        this.signal('SIGTERM');
        throw new Error(`${name} was not ready within ${READY_WITHIN_MS / 1_000} s. See ${logFile}`);
      }
      await sleep(POLL_MS);
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** SIGTERM. Returns the exit code. */
  stop(): Promise<number | null> {
    this.signal('SIGTERM');
    return this.ended;
  }

  /** SIGKILL. Waits for the exit. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }
}
