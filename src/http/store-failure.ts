/** Postgres' own words for "not now": https://www.postgresql.org/docs/current/errcodes-appendix.html */
const busyStates = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available
  '57014', // query_canceled: a statement that took too long
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
]);
/** Class 08: the connection broke. Class 53: no room on the disk, in memory or for a connection. */
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

/** Errors of pg and ioredis that have no code, by the words that their sources use. */
const connectionWords = [
  /^Connection terminated/, // pg: also "due to connection timeout", "unexpectedly"
  /^timeout exceeded when trying to connect$/, // pg-pool
  /^Client has encountered a connection error/, // pg
  /^Connection is closed\.$/, // ioredis
  /^Stream isn't writeable and enableOfflineQueue options is false$/, // ioredis
  /^Command timed out$/, // ioredis
];

/** Whether an error says that the database or the queue store cannot be reached or is too busy, rather than that we did wrong. */
export function isStoreFailure(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (busyStates.has(code) || storeStates.test(code) || socketErrors.has(code)) return true;
  if (error.name === 'MaxRetriesPerRequestError') return true;
  if (connectionWords.some((words) => words.test(error.message))) return true;
  if (error instanceof AggregateError && error.errors.some((inner) => isStoreFailure(inner, depth + 1)))
    return true;
  return isStoreFailure(error.cause, depth + 1);
}
