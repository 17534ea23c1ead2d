import { ProblemError } from './problem.js';

/** Retries of a read that did not reach the service, or that it could not answer. */
const RETRIES = 2;

/** Whether a read is repeated after an error. A refusal is shown at once. */
export function isRepeated(failures: number, error: Error): boolean {
  return failures < RETRIES && !(error instanceof ProblemError && error.status < 500);
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** For long work of many reads: one that is refused because there were too many waits for as long as the API says. */
export const patient = {
  retry: (failures: number, error: Error): boolean => isThrottled(error) || isRepeated(failures, error),
  retryDelay: (failures: number, error: Error): number =>
    isThrottled(error) && error.retryAfterSeconds !== null
      ? error.retryAfterSeconds * 1_000
      : Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS),
};

/** Whether a request was refused because there were too many. */
export function isThrottled(error: unknown): error is ProblemError {
  return error instanceof ProblemError && error.status === 429;
}
