import type { LoggerService } from '@nestjs/common';
import type { Logger } from '../logging/logger.js';

/** Nest's own lines in the process's log; its tale of every route and module only at `debug`. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...details: unknown[]): void {
    this.logger.debug(linesOf(message, details));
  }

  error(message: unknown, ...details: unknown[]): void {
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
