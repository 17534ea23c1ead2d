import type { Logger } from './logger.js';

/**
 * Logs each recurring warning at most once in an interval: a store that is down fails thousands of calls with the same
 * error.
 */
export class ThrottledLog {
  private readonly last = new Map<string, { at: number; suppressed: number }>();

  /** @param intervalMs least time between two lines with the same message, in milliseconds */
  constructor(
    private readonly logger: Logger,
    private readonly intervalMs = 10_000,
  ) {}

  /**
   * Logs a warning, with the number of lines with that message that were suppressed since the last one.
   * @param error null: there is none
   * @param message must be constant
   */
  warn(error: unknown, message: string, fields: Readonly<Record<string, unknown>> = {}, now = performance.now()): void {
    this.write('warn', error, message, fields, now);
  }

  /** Logs an error in the same way. */
  error(
    error: unknown,
    message: string,
    fields: Readonly<Record<string, unknown>> = {},
    now = performance.now(),
  ): void {
    this.write('error', error, message, fields, now);
  }

  private write(
    level: 'warn' | 'error',
    error: unknown,
    message: string,
    fields: Readonly<Record<string, unknown>>,
    now: number,
  ): void {
    const last = this.last.get(message);
    if (last && now - last.at < this.intervalMs) {
      last.suppressed += 1;
      return;
    }
    this.last.set(message, { at: now, suppressed: 0 });
    const { suppressed = 0 } = last ?? {};
    this.logger[level](
      { ...(error !== null && { err: error }), ...fields, ...(suppressed > 0 && { suppressed }) },
      message,
    );
  }
}
