import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from '../logging/logger.js';
import { CONNECTION_TIMEOUT_MS } from './database.js';

/** Why a server does not answer. */
export interface Refusal {
  readonly error: Error;
  /** Whether waiting may help: the server is not up yet. A wrong password or a missing database does not mend itself. */
  readonly mayPass: boolean;
}

/**
 * Nothing listens, the name is not known yet, the other side hangs up or says nothing; or Postgres says that all its connections
 * are taken (53300), that it is shutting down (57P01), has just crashed (57P02) or does not let anybody in yet (57P03).
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const passing = new Set([
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

/** Why the server does not answer a query, or null when it does. */
export async function refusalOf(connectionString: string): Promise<Refusal | null> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    query_timeout: CONNECTION_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return null;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The driver's own errors (it hung up, it timed out) carry no code.
    const mayPass = !('code' in error) || passing.has(String(error.code));
    return { error, mayPass };
  } finally {
    await client.end().catch(() => {});
  }
}

/** How to wait. */
export interface Patience {
  /** How long, in milliseconds; 30 seconds unless told. */
  readonly patienceMs?: number;
  /** Ends the waiting early. */
  readonly stop?: AbortSignal | undefined;
}

/**
 * Waits until the server answers, as it may start at the same time as we do.
 * @throws the error of the last try, at once when waiting cannot help; the reason of `stop` when that aborts.
 */
export async function waitUntilReachable(
  connectionString: string,
  logger: Logger,
  { patienceMs = 30_000, stop }: Patience = {},
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    stop?.throwIfAborted();
    const refusal = await refusalOf(connectionString);
    if (refusal === null) return;
    if (!refusal.mayPass || performance.now() > deadline) throw refusal.error;
    logger.info({ reason: refusal.error.message }, 'waiting for Postgres');
    await sleep(1_000, undefined, { signal: stop });
  }
}
