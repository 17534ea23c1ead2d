import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program that prints one line when it is ready. */
export class PrintingProgram {
  private constructor(
    private readonly child: ChildProcess,
    private readonly ended: Promise<unknown>,
    readonly line: string,
  ) {}

  /** Starts a compiled file, and waits for its line. */
  static async start(
    file: URL,
    args: readonly string[],
    settings: Readonly<Record<string, string>> = {},
  ): Promise<PrintingProgram> {
    const child = spawn(process.execPath, [fileURLToPath(file), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...settings },
    });
    const ended = once(child, 'exit');
    const [line]: unknown[] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
    if (typeof line !== 'string') throw new Error(`${file.pathname} exited with ${String(line)}.`);
    return new PrintingProgram(child, ended, line);
  }

  get pid(): number | null {
    return this.child.pid ?? null;
  }

  /** Ends the program. `SIGKILL` lets it do nothing more. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    this.child.kill(signal);
    await this.ended;
  }
}
