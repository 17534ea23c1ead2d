/**
 * Returns the result of `work`, or rejects with the reason of `signal` when it aborts first: vendors' clients do not
 * listen to a signal while they wait for credentials.
 */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    const end = (): void => signal.removeEventListener('abort', stop);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
    work.finally(end).then(resolve, reject);
  });
}
