/**
 * A signal that follows the first within this time is a duplicate of it, in milliseconds: Ctrl-C under npm reaches this
 * process twice, from the terminal and from npm.
 */
const DUPLICATE_SIGNAL_MS = 1_000;

/**
 * Handles SIGTERM and SIGINT. The first signal aborts the returned AbortSignal; a later one ends the process with exit
 * code 1. To be called before other modules are loaded: PID 1 of a container ignores a signal without a handler.
 * @returns aborts with the first signal; its reason is that signal's name
 */
export function takeStopSignals(): AbortSignal {
  const stop = new AbortController();
  let firstAt = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (!stop.signal.aborted) {
      firstAt = performance.now();
      stop.abort(signal);
    } else if (performance.now() - firstAt > DUPLICATE_SIGNAL_MS) {
      process.exit(1);
    }
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return stop.signal;
}
