import { spawn } from 'node:child_process';
import type { ServerAccount } from './account.js';

/** Where and as whom a program of Postgres runs. */
export interface ProgramPlace {
  /** Entered before the account changes. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly account: ServerAccount | null;
}

/** How a program ended. */
export interface ProgramResult {
  /** The exit code; null when a signal ended it or it could not be started. */
  readonly code: number | null;
  /** The last 4,000 characters of both its outputs, or why it could not be started. */
  readonly output: string;
}

/** The little that Postgres needs of the environment; the rest holds this service's secrets. */
export function programEnvironment(): Record<string, string> {
  const kept = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'COMSPEC'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}

/** Runs a program to its end with `input` on its standard input. Never throws: a program that cannot be started has no code. */
export function runProgram(
  program: string,
  args: readonly string[],
  place: ProgramPlace,
  input = '',
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    let output = '';
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-4_000);
    };
    try {
      const child = spawn(program, args, {
        cwd: place.cwd,
        env: { ...place.env },
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
        ...place.account,
      });
      child.stdout.on('data', collect);
      child.stderr.on('data', collect);
      // A program that ends without reading its input is judged by its exit code.
      child.stdin.on('error', () => {});
      child.stdin.end(input);
      child.once('error', (error) => resolve({ code: null, output: error.message }));
      child.once('close', (code) => resolve({ code, output: output.trim() }));
    } catch (error) {
      resolve({ code: null, output: error instanceof Error ? error.message : String(error) });
    }
  });
}
