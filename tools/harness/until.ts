import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a condition holds.
 * @throws Error with its name after `withinMs`
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  name: string,
  withinMs = 300_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`timed out after ${withinMs} ms: ${name}`);
    await sleep(20);
  }
}
