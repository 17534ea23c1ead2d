/** Receives the log lines of this package; a pino logger fits. Fields never hold a password, a statement or a value. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const ignore = (): void => {};

/** Discards every line. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
