import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A process of a peer. */
export class Program {
  private constructor(
    private readonly child: ChildProcess,
    private readonly ended: Promise<unknown>,
    /** The line that it printed when it was ready. */
    readonly line: string,
  ) {}

  /** Starts a program of `tools/bench/processes`, and waits for its first line. */
  static async start(
    name: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<Program> {
    const file = fileURLToPath(new URL(`../../processes/${name}.js`, import.meta.url));
    const env = { ...process.env, ...environment, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' };
    const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env });
    const ended = once(child, 'exit');
    const [line]: unknown[] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
    if (typeof line !== 'string') throw new Error(`The process ${name} exited with ${String(line)}.`);
    return new Program(child, ended, line);
  }

  get pid(): number | null {
    return this.child.pid ?? null;
  }

  /** Ends the process. `SIGKILL` lets it do nothing more. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    this.child.kill(signal);
    await this.ended;
  }
}
