import type { Reconciliation } from '../../../../tools/reconcile/comparison/reconcile.js';
import { ProblemError } from '../../api/problem.js';
import type { ComparisonInput, ComparisonMessage, ComparisonProgress } from './messages.js';

/**
 * Compares an export with what Waybill reports, beside the page: it stays usable while a large file is read.
 * @param signal ends the comparison
 * @throws Error with the reason, ProblemError for a refusal of the API, the reason of the signal
 */
export function compare(
  input: ComparisonInput,
  signal: AbortSignal,
  onProgress: (progress: ComparisonProgress) => void,
): Promise<Reconciliation> {
  const worker = new Worker(new URL('./comparison-worker.ts', import.meta.url), { type: 'module' });
  const result = new Promise<Reconciliation>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<ComparisonMessage>) => {
      if (data.kind === 'done') resolve(data.found);
      else if (data.kind === 'failed') reject(errorOf(data));
      else onProgress(data);
    });
    worker.addEventListener('error', (event) => {
      reject(new Error(event.message || 'The part of the console that compares could not be loaded.'));
    });
    signal.addEventListener('abort', () => reject(signal.reason));
    worker.postMessage(input);
  });
  return result.finally(() => worker.terminate());
}

function errorOf({ message, problem }: Extract<ComparisonMessage, { kind: 'failed' }>): Error {
  return problem === null ? new Error(message) : new ProblemError(problem, null);
}
