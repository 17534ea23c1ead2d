import { WaybillError, WaybillNetworkError, WaybillResponseError, WaybillTimeoutError } from './errors.js';

/** The first backoff is at most this long; every further one at most twice as long as the one before. */
const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 10_000;
/** A response that asks for a longer wait is an error at once. */
const LONGEST_RETRY_AFTER_MS = 60_000;

const RETRIED_STATUSES: readonly number[] = [502, 503, 504];

/**
 * Decides about a failed attempt. Returns the time to wait before the next one, in milliseconds; null for no retry.
 *
 * @param repeatable whether a second execution changes nothing more than the first
 * @param attempt number of attempts so far
 */
export function retryDelay(error: unknown, repeatable: boolean, attempt: number): number | null {
  if (!isRetried(error, repeatable)) return null;
  const backoff = jittered(Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS));
  const asked = (isResponse(error) ? (error.retryAfterSeconds ?? 0) : 0) * 1_000;
  return asked > LONGEST_RETRY_AFTER_MS ? null : Math.max(asked, backoff);
}

function isRetried(error: unknown, repeatable: boolean): boolean {
  if (isResponse(error)) {
    // The server did not begin with the request, or is still carrying it out.
    if (error.status === 429) return true;
    if (error instanceof WaybillError && error.errorCode === 'idempotency_key_in_use') return true;
    return repeatable && RETRIED_STATUSES.includes(error.status);
  }
  return repeatable && (error instanceof WaybillNetworkError || error instanceof WaybillTimeoutError);
}

function isResponse(error: unknown): error is WaybillError | WaybillResponseError {
  return error instanceof WaybillError || error instanceof WaybillResponseError;
}

/** Returns a random time between the half of `ms` and `ms`, so that clients do not retry all at once. */
export function jittered(ms: number): number {
  return ms * (0.5 + Math.random() / 2);
}

/** Waits. @throws the reason of the signal when it aborts */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- as fetch does
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
