import { patient } from '../../api/retries.js';

/**
 * Repeats a request as long as it may succeed later.
 * @param isRepeated whether it is repeated after an error; default: after those that a read may be repeated after
 */
export async function patiently<Result>(
  send: () => Promise<Result>,
  isRepeated: (failures: number, error: Error) => boolean = patient.retry,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Error) || !isRepeated(failures, error)) throw error;
      const delay = patient.retryDelay(failures, error);
      await new Promise((resolve) => {
        setTimeout(resolve, delay);
      });
    }
  }
}
