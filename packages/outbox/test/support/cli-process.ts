import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A command that was run to its end. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface CliProcess {
  readonly process: ChildProcess;
  /** Output so far. */
  output(): { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<CliResult>;
}

/** Starts the command line of a folder that `compileCli` made. */
export function startCli(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): CliProcess {
  const child = spawn(process.execPath, [path.join(folder, 'dist/cli.js'), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }));
  return { process: child, output: () => output, ended };
}

/** Runs a command to its end. */
export function runCli(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  return startCli(folder, args, environment).ended;
}
