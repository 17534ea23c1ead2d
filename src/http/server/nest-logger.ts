import type { LoggerService } from '@nestjs/common';
import type { Logger } from '../../logging/logger.js';

/** Context of Nest's lines about errors that it rethrows. The caller logs these errors. */
const RETHROWN = 'ExceptionHandler';

/** Writes Nest's log lines to the log of the process; lines about routes and modules at `debug`. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...details: unknown[]): void {
    this.logger.debug(linesOf(message, details));
  }

  error(message: unknown, ...details: unknown[]): void {
    if (details.at(-1) === RETHROWN) return;
    this.logger.error(linesOf(message, details));
  }

  warn(message: unknown, ...details: unknown[]): void {
    this.logger.warn(linesOf(message, details));
  }

  debug(message: unknown, ...details: unknown[]): void {
    this.logger.debug(linesOf(message, details));
  }

  verbose(message: unknown, ...details: unknown[]): void {
    this.logger.trace(linesOf(message, details));
  }

  fatal(message: unknown, ...details: unknown[]): void {
    this.logger.fatal(linesOf(message, details));
  }
}

function linesOf(message: unknown, details: readonly unknown[]): string {
  return ['nest', message, ...details]
    .map((part) => (part instanceof Error ? (part.stack ?? part.message) : String(part)))
    .join(' ');
}
