import { spawn } from 'node:child_process';
import type { ServerAccount } from './server-account.js';

/** Working folder, environment and account of a Postgres program. */
export interface ProgramContext {
  /** Entered before the account changes. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Null: the account of this process. */
  readonly account: ServerAccount | null;
}

/** How a program ended. */
export interface ProgramResult {
  /** The exit code; null when a signal ended the program or it could not be started. */
  readonly code: number | null;
  /** The last 4,000 characters of stdout and stderr, or why the program could not be started. */
  readonly output: string;
}

/** Returns the variables that a child program needs. All others are withheld: they may hold the parent's secrets. */
export function programEnvironment(): Record<string, string> {
  const kept = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'COMSPEC'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}

/**
 * Runs a program until it ends, with `input` on its stdin. Never throws: a program that cannot be started has no code.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  context: ProgramContext,
  input = '',
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    let output = '';
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-4_000);
    };
    try {
      const child = spawn(program, args, {
        cwd: context.cwd,
        env: { ...context.env },
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
        ...context.account,
      });
      child.stdout.on('data', collect);
      child.stderr.on('data', collect);
      // A program may end without reading its input; its exit code counts.
      child.stdin.on('error', () => {});
      child.stdin.end(input);
      child.once('error', (error) => resolve({ code: null, output: error.message }));
      child.once('close', (code) => resolve({ code, output: output.trim() }));
    } catch (error) {
      resolve({ code: null, output: error instanceof Error ? error.message : String(error) });
    }
  });
}
