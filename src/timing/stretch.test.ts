import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Stretch } from './stretch.js';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

/** Returns whether others run during a pause. */
async function servesOthers(stretch: Stretch): Promise<boolean> {
  let served = false;
  setImmediate(() => (served = true));
  await stretch.pause();
  return served;
}

it('serves others after steps that took long, and not after short ones', async () => {
  const stretch = new Stretch();
  expect(await servesOthers(stretch)).toBe(false);
  vi.advanceTimersByTime(1.5);
  expect(await servesOthers(stretch)).toBe(false);
  vi.advanceTimersByTime(1.5);
  expect(await servesOthers(stretch)).toBe(true);
  expect(await servesOthers(stretch)).toBe(false);
});
