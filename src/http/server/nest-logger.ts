import type { LoggerService } from '@nestjs/common';
import type { Logger } from '../../logging/logger.js';

/** Context of Nest's lines about errors that it rethrows. The caller logs these errors. */
const RETHROWN = 'ExceptionHandler';

/** Returns a logger that writes Nest's lines to the log of the process; those about routes and modules at `debug`. */
export function nestLogger(logger: Logger): LoggerService {
  const at =
    (level: 'trace' | 'debug' | 'warn' | 'error' | 'fatal') =>
    (message: unknown, ...details: unknown[]): void => {
      if (level !== 'error' || details.at(-1) !== RETHROWN) logger[level](linesOf(message, details));
    };
  return {
    log: at('debug'),
    verbose: at('trace'),
    debug: at('debug'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
  };
}

function linesOf(message: unknown, details: readonly unknown[]): string {
  return ['nest', message, ...details]
    .map((part) => (part instanceof Error ? (part.stack ?? part.message) : String(part)))
    .join(' ');
}
