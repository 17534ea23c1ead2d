import { isThrottled, patient } from '../../api/retries.js';

/** Requests that run at once. */
const AT_ONCE = 4;

/** What came of one: null where it was done, and otherwise why not. */
export type ManyResults = ReadonlyMap<string, string | null>;

/**
 * Does something for each id, a few at once, in order. What fails leaves the others as they are. What is refused
 * because there were too many requests is done later.
 * @param run returns null, or why it was not done
 * @param onResult called with all results so far, after each
 */
export async function runMany(
  ids: readonly string[],
  run: (id: string) => Promise<string | null>,
  onResult: (results: ManyResults) => void,
  signal: AbortSignal,
): Promise<ManyResults> {
  let results: ManyResults = new Map();
  const waiting = [...ids];
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift()) {
      const result = await run(id).catch((error: unknown) => (error instanceof Error ? error : String(error)));
      if (isThrottled(result)) {
        waiting.unshift(id);
        if (signal.aborted) break;
        await new Promise((resolve) => {
          setTimeout(resolve, patient.retryDelay(0, result));
          signal.addEventListener('abort', resolve, { once: true });
        });
        continue;
      }
      results = new Map([...results, [id, result instanceof Error ? result.message : result]]);
      onResult(results);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
