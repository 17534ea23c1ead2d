import { setTimeout as sleep } from 'node:timers/promises';
import { checkConnection } from '@waybill/embedded-postgres';
import type { Logger } from '../logging/logger.js';

/** How long to wait for a server. */
export interface WaitOptions {
  /** In milliseconds; 30 seconds by default. */
  readonly timeoutMs?: number;
  /** Ends the wait early. */
  readonly stop?: AbortSignal | undefined;
}

/**
 * Waits until the server answers a query: it may start at the same time as this process.
 * @throws the error of the last try, at once when waiting cannot help; the reason of `stop` when it aborts
 */
export async function waitUntilReachable(
  connectionString: string,
  logger: Logger,
  { timeoutMs = 30_000, stop }: WaitOptions = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    stop?.throwIfAborted();
    const failure = await checkConnection(connectionString);
    if (failure === null) return;
    if (!failure.transient || performance.now() > deadline) throw failure.error;
    logger.info({ reason: failure.error.message }, 'waiting for Postgres');
    // An abort ends the sleep; the next turn throws its reason.
    await sleep(1_000, undefined, { signal: stop }).catch(() => {});
  }
}
