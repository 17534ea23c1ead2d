import type { Logger } from './logger.js';

/** Writes a recurring error at most once in a while: a store that is down fails thousands of calls in the same way. */
export class ThrottledLog {
  private readonly intervalMs: number;
  private readonly last = new Map<string, { at: number; left: number }>();

  /** @param intervalMs least time between two lines of the same message, in milliseconds */
  constructor(
    private readonly logger: Logger,
    intervalMs = 10_000,
  ) {
    this.intervalMs = intervalMs;
  }

  /**
   * Logs a warning, with how many of the same message were left out since the last one.
   * @param message must be constant
   * @param about what it happened to
   */
  warn(
    error: unknown,
    message: string,
    about: Readonly<Record<string, unknown>> = {},
    now = Date.now(),
  ): void {
    const last = this.last.get(message);
    if (last && now - last.at < this.intervalMs) {
      last.left += 1;
      return;
    }
    this.last.set(message, { at: now, left: 0 });
    this.logger.warn(
      { err: error, ...about, ...(last && last.left > 0 && { left_out: last.left }) },
      message,
    );
  }
}
