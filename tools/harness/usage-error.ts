import type { CommanderError } from '@commander-js/extra-typings';

/** Exit code of a tool for invalid options. 1 is a failed run. */
const INVALID_OPTIONS = 2;

/** Ends the process after the command-line parser has printed help or an error; for `Command.exitOverride`. */
export function exitAfterParsing({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : INVALID_OPTIONS);
}
