import type { ExportProgress, Reconciliation, TestedFile } from '@waybill/reconcile';
import { ProblemError } from '../../api/problem.js';
import { request } from '../../api/request.js';
import type { ComparisonInput, ComparisonMessage, ComparisonProgress } from './messages.js';

/** What a comparison found, and the files that it read. */
export interface Compared {
  readonly found: Reconciliation;
  readonly files: readonly TestedFile[];
}

/**
 * Compares an export with what Waybill reports, beside the page: it stays usable while a large file is read.
 * @param signal ends the comparison
 * @throws Error with the reason, ProblemError for a refusal of the API, the reason of the signal
 */
export function compare(
  input: ComparisonInput,
  signal: AbortSignal,
  onProgress: (progress: ComparisonProgress) => void,
): Promise<Compared> {
  const worker = new Worker(new URL('./comparison-worker.ts', import.meta.url), { type: 'module' });
  let exporting: ExportProgress | null = null;
  const result = new Promise<Compared>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<ComparisonMessage>) => {
      if (data.kind === 'done') resolve({ found: data.found, files: data.files });
      else if (data.kind === 'failed') reject(errorOf(data));
      else {
        if (data.kind === 'exporting') exporting = data;
        onProgress(data);
      }
    });
    worker.addEventListener('error', (event) => {
      reject(new Error(event.message || 'The part of the console that compares could not be loaded.'));
    });
    signal.addEventListener('abort', () => {
      reject(signal.reason);
      cancelExport(exporting);
    });
    worker.postMessage(input);
  });
  return result.finally(() => worker.terminate());
}

/** Cancels Waybill's own export if nobody waits for it any more. One that is complete stays. */
function cancelExport(exporting: ExportProgress | null): void {
  if (exporting === null || exporting.step === 'downloading') return;
  // It may be complete by now, which is no fault.
  request('POST', '/exports/{id}/cancel', { path: { id: exporting.id } }).catch(() => {});
}

function errorOf({ message, problem }: Extract<ComparisonMessage, { kind: 'failed' }>): Error {
  return problem === null ? new Error(message) : new ProblemError(problem, null);
}
