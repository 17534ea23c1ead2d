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

/** Nothing listens, the name is not known yet, the other side hangs up or says nothing, or SQLSTATE cannot_connect_now. */
const passing = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  '57P03',
]);

/** Why the server does not answer a query, or null when it does. */
export async function refusalOf(connectionString: string): Promise<Refusal | null> {
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS });
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

/**
 * Waits until the server answers, as it may start at the same time as we do.
 * @param patienceMs how long to wait, in milliseconds.
 * @throws the error of the last try, at once when waiting cannot help.
 */
export async function waitUntilReachable(
  connectionString: string,
  logger: Logger,
  patienceMs = 30_000,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const refusal = await refusalOf(connectionString);
    if (refusal === null) return;
    if (!refusal.mayPass || performance.now() > deadline) throw refusal.error;
    logger.info({ reason: refusal.error.message }, 'waiting for Postgres');
    await sleep(1_000);
  }
}
