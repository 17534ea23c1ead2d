/** SQLSTATEs of temporary failures: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const busyStates = new Set([
  '25006', // read_only_sql_transaction: a standby, or a primary that was demoted
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available
  '57014', // query_canceled: a statement that took too long
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
]);
/** Class 08: connection exception. Class 53: insufficient resources (disk, memory, connections). */
const storeStates = /^(08|53)[0-9A-Z]{3}$/;

const socketErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Messages of errors of pg and ioredis that have no code. */
const connectionMessages = [
  /^Connection terminated/, // pg: also "due to connection timeout", "unexpectedly"
  /^timeout exceeded when trying to connect$/, // pg-pool
  /^No connection of this share was free/, // poolDialect
  /^Client has encountered a connection error/, // pg
  /^Connection is closed\.$/, // ioredis
  /^Stream isn't writeable and enableOfflineQueue options is false$/, // ioredis
  /^Command timed out$/, // ioredis
];

/**
 * Whether an error, or one of its causes, means that the database or the queue store is unreachable or overloaded.
 */
export function isStoreFailure(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (busyStates.has(code) || storeStates.test(code) || socketErrors.has(code)) return true;
  if (error.name === 'MaxRetriesPerRequestError') return true;
  if (connectionMessages.some((pattern) => pattern.test(error.message))) return true;
  if (error instanceof AggregateError && error.errors.some((inner) => isStoreFailure(inner, depth + 1))) return true;
  return isStoreFailure(error.cause, depth + 1);
}
