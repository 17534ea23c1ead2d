import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { ProgramPlace } from './run-program.js';

/**
 * Runs a program that ends when the process that started it does, however that ends. The shell holds the reading end of a pipe
 * whose writing end only we have: end of file means that we are gone (or have closed it), and the program gets its signal.
 * A background job of a shell ignores SIGINT unless it sets a handler of its own, as Postgres does.
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

/** A running program. Ending `stdin` asks it to end; `exit` comes when it has. */
export type GuardedProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts a program that ends with this process, in a session of its own: Ctrl-C in the terminal reaches us alone, and we decide
 * when it ends. On Windows there is no guard: the system ends a child with its parent.
 * @param endSignal what asks the program to end.
 */
export function startWithParent(
  program: string,
  args: readonly string[],
  endSignal: 'INT' | 'TERM',
  place: ProgramPlace,
): GuardedProcess {
  const stdio: ['pipe', 'pipe', 'pipe'] = ['pipe', 'pipe', 'pipe'];
  const options = { cwd: place.cwd, env: { ...place.env }, stdio };
  const child =
    process.platform === 'win32'
      ? spawn(program, args, { ...options, windowsHide: true })
      : spawn('/bin/sh', ['-c', GUARD, 'waybill-guard', endSignal, program, ...args], {
          ...options,
          ...place.account,
          detached: true,
        });
  // The pipe carries nothing; it may be gone when we end it.
  child.stdin.on('error', () => {});
  return child;
}
