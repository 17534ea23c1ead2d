import { spawn, type ChildProcess } from 'node:child_process';
import type { ServerAccount } from './account.js';

/**
 * Runs a program that ends when the process that started it does, however that ends. The shell holds the reading end of a pipe
 * whose writing end only we have: end of file means that we are gone (or have closed it), and the program gets its signal.
 * Background jobs of a shell ignore SIGINT unless they set their own handler, as Postgres does.
 */
const guard = `
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

/** What to run and how to end it. */
export interface ProgramOptions {
  readonly program: string;
  readonly args: readonly string[];
  /** The signal that asks the program to end. */
  readonly endSignal: 'INT' | 'TERM';
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs it as someone else (only root can). */
  readonly account: ServerAccount | null;
}

/**
 * Starts the program in a session of its own, so that Ctrl-C in the terminal reaches us alone and we decide when it ends.
 * Ending the returned process's `stdin` asks the program to end; its `exit` event comes when the program has ended.
 * On Windows there is no guard: there the system ends a child with its parent.
 */
export function startWithParent(options: ProgramOptions): ChildProcess {
  const stdio: ['pipe', 'pipe', 'pipe'] = ['pipe', 'pipe', 'pipe'];
  const common = { cwd: options.cwd, env: options.env, stdio };
  if (process.platform === 'win32') {
    return spawn(options.program, options.args, { ...common, windowsHide: true });
  }
  return spawn(
    '/bin/sh',
    ['-c', guard, 'waybill-guard', options.endSignal, options.program, ...options.args],
    {
      ...common,
      detached: true,
      ...options.account,
    },
  );
}
