/** Longest time of a timer, in milliseconds. A longer one would end at once. */
const LONGEST_MS = 2_147_483_647;

/**
 * Returns the time limit.
 * @throws TypeError for what no timer can wait
 */
export function timeLimit(timeoutMs: number): number {
  if (timeoutMs >= 1 && timeoutMs <= LONGEST_MS) return timeoutMs;
  throw new TypeError(`timeoutMs must be a number from 1 to ${LONGEST_MS}, not ${String(timeoutMs)}.`);
}

/**
 * Returns the most retries.
 * @throws TypeError for a negative number or NaN
 */
export function retryLimit(maxRetries: number): number {
  if (maxRetries >= 0) return maxRetries;
  throw new TypeError(`maxRetries must be a number from 0 on, not ${String(maxRetries)}.`);
}
