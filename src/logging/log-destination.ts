import type { WriteStream } from 'node:tty';
import { pino, type DestinationStream } from 'pino';
import { coloured, plain, terminalLine } from './terminal-line.js';

/** Values of LOG_FORMAT. */
export type LogFormat = 'auto' | 'json' | 'pretty';

/**
 * Returns where the log of a process is written: standard output. `auto` writes readable lines to a terminal, and JSON
 * to anything else. Colours follow NO_COLOR, FORCE_COLOR and TERM, as Node reads them. Each line is written before the
 * call returns: a line that is still being written when the process exits comes after later lines, or is lost.
 */
export function logDestination(
  format: LogFormat,
  output: Partial<Pick<WriteStream, 'isTTY' | 'hasColors'>> = process.stdout,
): DestinationStream {
  const lines = pino.destination({ dest: 1, sync: true });
  if (format === 'json' || (format === 'auto' && !output.isTTY)) return lines;
  // Only a terminal has the method.
  const style = output.hasColors?.() === true ? coloured : plain;
  return { write: (json) => void lines.write(terminalLine(json, style)) };
}
