/** How often the process looks at itself, and how long something must have been wrong before it gives up, in milliseconds. */
const LOOK_MS = 5_000;
const PATIENCE_MS = 30_000;

/**
 * Ends a process that gets nowhere: /livez says so at once, but many supervisors restart only what has ended (`restart:` of
 * docker compose is one).
 * @param stalled what is wrong, or null
 * @param giveUp called once when something has been wrong for so long
 * @returns ends the watch
 */
export function startWatchdog(
  stalled: () => string | null,
  giveUp: (error: Error) => void,
  { lookMs = LOOK_MS, patienceMs = PATIENCE_MS } = {},
): () => void {
  let since: number | null = null;
  const timer = setInterval(() => {
    const detail = stalled();
    if (detail === null) {
      since = null;
      return;
    }
    since ??= performance.now();
    if (performance.now() - since < patienceMs) return;
    clearInterval(timer);
    giveUp(new Error(`The worker makes no progress: ${detail}.`));
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}
