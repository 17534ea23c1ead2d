import type { RelayLogger } from '../relay/relay-logger.js';

/** Levels as numbers, as pino and Waybill write them. */
const levels = { debug: 20, info: 30, warn: 40, error: 50 } as const;

/** Returns a logger that writes JSON lines, without those of the level `debug`. */
export function jsonLogger(write: (line: string) => void): RelayLogger {
  const at = (level: keyof typeof levels) => (fields: object, msg: string) => {
    const time = new Date().toISOString();
    write(
      `${JSON.stringify({ level: levels[level], time, service: 'waybill-outbox', pid: process.pid, ...fields, msg })}\n`,
    );
  };
  return { debug: () => {}, info: at('info'), warn: at('warn'), error: at('error') };
}
