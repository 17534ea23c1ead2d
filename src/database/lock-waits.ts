import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logging/logger.js';

/** How long a migration waits for the locks of other transactions. */
export interface LockWaits {
  /** Longest wait for one lock, in milliseconds. */
  readonly timeoutMs: number;
  /** Waits between tries, in milliseconds; the last one repeats. */
  readonly retriesMs: readonly number[];
  readonly maxTries: number;
}

/**
 * Two seconds for a lock: every later statement on the table waits behind it. The statements that queued up run between
 * the tries. About ten minutes in all.
 */
export const defaultWaits: LockWaits = {
  timeoutMs: 2_000,
  retriesMs: [1_000, 2_000, 5_000, 10_000],
  maxTries: 50,
};

/** lock_not_available and deadlock_detected: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const lockStates: readonly unknown[] = ['55P03', '40P01'];

/** Returns whether a statement failed because another transaction holds a lock. */
export function isLockWait(error: unknown): boolean {
  return error instanceof Error && 'code' in error && lockStates.includes(error.code);
}

/** Returns whether Postgres canceled a statement because it took too long (57014, query_canceled). */
export function isCanceled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014';
}

/**
 * Runs a step of a migration, and repeats it while another transaction holds a lock that it needs.
 * @throws the error of the last try; at once what is not about a lock
 */
export async function repeatWhileLocked(
  waits: LockWaits,
  logger: Logger,
  migration: string,
  step: () => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await step();
      return;
    } catch (error) {
      if (!isLockWait(error) || tries >= waits.maxTries) throw error;
      logger.warn({ err: error, migration }, 'a migration waits for a lock that another transaction holds');
      await sleep(waits.retriesMs[tries - 1] ?? waits.retriesMs.at(-1) ?? 0);
    }
  }
}
