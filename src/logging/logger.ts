import { pino, type DestinationStream, type Logger } from 'pino';
import { tokenOf } from '../lifecycle/provide.js';
import { logDestination } from './log-destination.js';

export type { Logger };
/** The injection token of `Logger`. */
export const LOGGER = tokenOf<Logger>('Logger');

/** Names of fields that are redacted, at any depth that log lines have. */
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
 * The members of an error that are logged beside its type, message and stack. Other members may hold secrets: ioredis
 * adds the command with its arguments (the password, when it was refused), the Azure client adds request and response
 * with their headers, and Postgres adds the refused row.
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

/**
 * Depth up to which aggregate errors are logged: a host with two addresses fails with an aggregate of two.
 */
const MAX_AGGREGATE_DEPTH = 3;

/** Serializes an error; of any other thrown value, only its type. */
function loggedError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error, message: 'a value that is not an Error was thrown' };
  // Includes the messages and stacks of its causes.
  const { type, message, stack } = pino.stdSerializers.err(error);
  const members = Object.entries(error).filter(([name]) => errorMembers.some((member) => member === name));
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return {
    type,
    message,
    stack,
    ...Object.fromEntries(members),
    ...(parts.length > 0 &&
      depth < MAX_AGGREGATE_DEPTH && { errors: parts.map((part) => loggedError(part, depth + 1)) }),
  };
}

/**
 * Creates the process's logger. It writes JSON lines with ISO times. Of errors, it writes only members that hold no
 * secrets; as a last defence, it redacts fields by name.
 * @param destination standard output by default
 */
export function createLogger(level: string, destination: DestinationStream = logDestination('json')): Logger {
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

/** A log line of plain values under fixed names, none of which is a secret. */
export type PlainLine = Readonly<Record<string, string | number | null | undefined>>;

/** Writes plain lines. */
export type PlainLogger = Record<'debug' | 'info' | 'warn', (line: PlainLine, message: string) => void>;

/**
 * Returns a logger for plain lines only, such as those of requests and attempts. It skips the redaction, which takes
 * three times as long as writing a line.
 */
export function plainLogger(logger: Logger): PlainLogger {
  return logger.child({}, { redact: [] });
}
