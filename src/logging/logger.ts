import { pino, type DestinationStream, type Logger } from 'pino';

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

/**
 * The members of an error that are written beside its type, message and stack. Everything else that libraries put on their
 * errors stays out: ioredis adds the command with its arguments (the password, where that was refused), the Azure client
 * adds request and answer with their headers, and Postgres adds the row that it refused.
 */
const errorMembers = [
  'code',
  'errno',
  'syscall',
  'address',
  'port',
  'hostname',
  'status',
  'statusCode',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
] as const;

/** How deep errors are followed that are made of others: a name with two addresses fails as an aggregate of two. */
const DEEPEST_AGGREGATE = 3;

/** An error as it is logged; anything else that was thrown, by its type alone. */
function loggedError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'something was thrown that is no error' };
  // With the messages and stacks of its causes.
  const { type, message, stack } = pino.stdSerializers.err(error);
  const members = Object.entries(error).filter(([name]) => errorMembers.some((member) => member === name));
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return {
    type,
    message,
    stack,
    ...Object.fromEntries(members),
    ...(parts.length > 0 &&
      depth < DEEPEST_AGGREGATE && { errors: parts.map((part) => loggedError(part, depth + 1)) }),
  };
}

/**
 * The process's logger: JSON lines on standard output, ISO times, of errors only what is known to hold no secrets, and secrets
 * censored by name as a last line of defence.
 * @param destination where the lines go instead
 */
export function createLogger(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      base: { service: 'waybill', pid: process.pid },
      serializers: { err: (error: unknown) => loggedError(error) },
      redact: {
        paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[redacted]',
      },
    },
    destination,
  );
}

/** A log line of plain values whose names are ours: there is no place in it for a secret. */
export type PlainLine = Readonly<Record<string, string | number | null | undefined>>;

/**
 * A logger for plain lines alone, one for each request: they are not gone through for names of secrets, which takes three times as long as
 * to write them.
 */
export function plainLogger(logger: Logger): { info(line: PlainLine, message: string): void } {
  return logger.child({}, { redact: [] });
}
