import { Client } from 'pg';

/** Longest wait for the server to accept a connection, and then to answer a query, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Why a server does not answer a query. */
export interface ConnectionFailure {
  readonly error: Error;
  /** Whether the server may answer later. A wrong password or a missing database needs a human. */
  readonly transient: boolean;
}

/**
 * Errors of a server that is not up yet. Network: no listener, no such name yet, connection closed, no route. Postgres:
 * too many connections (53300), shutting down (57P01), crashed (57P02), starting up (57P03).
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const transientCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  '53300',
  '57P01',
  '57P02',
  '57P03',
]);

/** Connects and runs one query. Returns null when the server answers, otherwise why it does not. */
export async function checkConnection(connectionString: string): Promise<ConnectionFailure | null> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return null;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The driver's own errors (connection closed, timeout) carry no code.
    const transient = !('code' in error) || transientCodes.has(String(error.code));
    return { error, transient };
  } finally {
    await client.end().catch(() => {});
  }
}
