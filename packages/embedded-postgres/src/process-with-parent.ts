import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { programEnvironment } from './run-program.js';
import type { ServerAccount } from './server-account.js';

/**
 * Runs a program that ends with the process that started it, however that process ends. The shell holds the reading end
 * of a pipe whose writing end only the parent has. On end of file (the parent closed the pipe, or is gone) the shell
 * signals the program. A background job of a shell ignores SIGINT unless it installs a handler, as Postgres does.
 */
const GUARD = `
exec 3<&0 </dev/null
signal=$1; shift
"$@" 3<&- &
program=$!
( read -r _ <&3; kill -s "$signal" "$program" ) >/dev/null 2>&1 &
watcher=$!
exec 3<&- >/dev/null 2>&1
wait "$program"; code=$?
kill "$watcher"
exit "$code"`;

/** A running program. Ending `stdin` asks the program to end; `exit` is emitted when it has. */
export type GuardedProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** How to run a program with its parent. */
export interface WithParentOptions {
  readonly cwd: string;
  /** The signal that asks the program to end. */
  readonly endSignal: 'INT' | 'TERM';
  /** Few variables by default (PATH, temporary folders): the parent's environment may hold secrets. */
  readonly env?: Readonly<Record<string, string>>;
  /** The account of this process by default. */
  readonly account?: ServerAccount | null;
}

/**
 * Starts a program that ends with this process. The program has a session of its own: Ctrl-C in the terminal reaches
 * this process alone, which decides when the program ends. Windows ends a child with its parent, so no guard is needed
 * there.
 */
export function startWithParent(
  program: string,
  args: readonly string[],
  { cwd, endSignal, env = programEnvironment(), account = null }: WithParentOptions,
): GuardedProcess {
  const stdio: ['pipe', 'pipe', 'pipe'] = ['pipe', 'pipe', 'pipe'];
  const options = { cwd, env: { ...env }, stdio };
  const child =
    process.platform === 'win32'
      ? spawn(program, args, { ...options, windowsHide: true })
      : spawn('/bin/sh', ['-c', GUARD, 'embedded-postgres-guard', endSignal, program, ...args], {
          ...options,
          ...account,
          detached: true,
        });
  // The pipe carries no data; it may be closed already when it is ended here.
  child.stdin.on('error', () => {});
  return child;
}
