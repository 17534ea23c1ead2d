const CHECK_INTERVAL_MS = 5_000;
/** How long the worker may be stalled before the process is ended, in milliseconds. */
const TOLERANCE_MS = 30_000;

/**
 * Ends a process whose worker makes no progress. /livez reports that at once, but many supervisors restart a process
 * only when it exits (`restart:` of docker compose is one).
 * @param stallReason returns what is stuck, or null
 * @param fail called once, when the worker has been stalled for TOLERANCE_MS
 * @returns a function that stops the watchdog
 */
export function startWatchdog(stallReason: () => string | null, fail: (error: Error) => void): () => void {
  let since: number | null = null;
  const timer = setInterval(() => {
    const reason = stallReason();
    if (reason === null) {
      since = null;
      return;
    }
    since ??= performance.now();
    if (performance.now() - since < TOLERANCE_MS) return;
    clearInterval(timer);
    fail(new Error(`The worker makes no progress: ${reason}.`));
  }, CHECK_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
