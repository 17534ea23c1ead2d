/**
 * A signal that comes so soon after the first is the same wish, in milliseconds: Ctrl-C under npm reaches this process
 * twice, from the terminal and from npm.
 */
const SAME_WISH_MS = 1_000;

/**
 * Takes SIGTERM and SIGINT from now on: the first asks to stop, one that comes later ends the process at once with code
 * 1. Installed before anything is loaded, for the first process of a container is not ended by a signal that it does
 * not take.
 * @returns aborts with the first signal; its reason is that signal's name
 */
export function takeStopSignals(): AbortSignal {
  const stop = new AbortController();
  let firstAt = 0;
  const asked = (signal: NodeJS.Signals): void => {
    if (!stop.signal.aborted) {
      firstAt = performance.now();
      stop.abort(signal);
    } else if (performance.now() - firstAt > SAME_WISH_MS) {
      process.exit(1);
    }
  };
  process.on('SIGTERM', asked);
  process.on('SIGINT', asked);
  return stop.signal;
}
