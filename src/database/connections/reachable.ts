import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkConnection } from '@waybill/embedded-postgres';
import { SettingError } from '../../config/setting-error.js';
import { storeAddress } from '../../config/store-address.js';
import type { Logger } from '../../logging/logger.js';
import { withTimeout } from '../../timing/with-timeout.js';

/** How long to wait for a server. */
export interface WaitOptions {
  /** In milliseconds; 30 seconds by default. */
  readonly timeoutMs?: number;
  /** Ends the wait early. */
  readonly stop?: AbortSignal | undefined;
}

/**
 * How long a try continues after a stop, in milliseconds: a server that refuses the connection at that moment is still
 * reported.
 */
const LAST_TRY_MS = 500;

/**
 * Waits until the server of DATABASE_URL answers a query: it may start at the same time as this process.
 * @throws SettingError with what was tried and the error of the last try, at once when waiting cannot help; the reason
 * of `stop` when it aborts
 */
export async function waitUntilReachable(
  connectionString: string,
  logger: Logger,
  { timeoutMs = 30_000, stop }: WaitOptions = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  const tried = storeAddress(connectionString);
  for (;;) {
    stop?.throwIfAborted();
    const failure = await lastingUntil(stop, checkConnection(connectionString));
    if (failure === null) return;
    // The next turn throws the reason of the stop.
    if (failure === undefined) continue;
    if (!failure.transient || performance.now() > deadline) {
      const message = `The Postgres of DATABASE_URL (${tried}) cannot be used: ${messageOf(failure.error)}. ${adviceOn(failure.error)}`;
      throw new SettingError(message, { cause: failure.error });
    }
    logger.info({ setting: 'DATABASE_URL', tried, reason: messageOf(failure.error) }, 'waiting for Postgres');
    await sleep(1_000, undefined, { signal: stop }).catch(() => {});
  }
}

/** Returns what `attempt` resolves to; undefined when it has not ended soon after the abort of `stop`. */
async function lastingUntil<Result>(
  stop: AbortSignal | undefined,
  attempt: Promise<Result>,
): Promise<Result | undefined> {
  if (!stop) return attempt;
  const done = new AbortController();
  const afterStop = once(stop, 'abort', { signal: done.signal }).then(() => withTimeout(attempt, LAST_TRY_MS));
  try {
    return await Promise.race([attempt, afterStop]);
  } finally {
    done.abort();
  }
}

/** Returns the message of a failure. A host with several addresses fails with one error for each. */
function messageOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message;
  return error.errors.map((part) => (part instanceof Error ? part.message : String(part))).join('; ');
}

/**
 * Returns what to do, by the error of the driver or of Postgres
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
function adviceOn(error: Error): string {
  switch ('code' in error ? error.code : undefined) {
    case '28P01':
    case '28000':
      return 'Check its user and password.';
    case '3D000':
      return 'Create the database, or name another one.';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'Check its host name.';
    default:
      return 'Check its host and port, and whether the server runs.';
  }
}
