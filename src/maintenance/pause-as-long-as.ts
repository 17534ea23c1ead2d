import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A pause of a long turn, as long as the statement before it: the turn uses half a connection at most. Ends early,
 * without an error, when `stopped` aborts.
 * @param begun when the statement began, by `performance.now()`
 */
export async function pauseAsLongAs(begun: number, stopped: AbortSignal): Promise<void> {
  await sleep(Math.ceil(performance.now() - begun), undefined, { signal: stopped }).catch(() => undefined);
}
