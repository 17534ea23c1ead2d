import { pino, type Logger } from 'pino';

export type { Logger };

/** Names of members that never reach the log, at any of the depths that our log lines have. */
const secretNames = [
  'authorization',
  'cookie',
  'token',
  'password',
  'api_key',
  'client_secret',
  'cloud_secret_access_key',
  'secret',
];

/** The process's logger: JSON lines on standard output, ISO times, secrets censored by name as a last line of defence. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    base: { service: 'waybill', pid: process.pid },
    redact: {
      paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '[redacted]',
    },
  });
}
