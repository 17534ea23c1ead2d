/** Receives the log lines of a relay; a pino logger fits. Fields never hold the content of an event, or a secret. */
export interface RelayLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const ignore = (): void => {};

/** Discards every line. */
export const silentLogger: RelayLogger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
