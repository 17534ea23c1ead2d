import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dataPlaneTurns, WORKS_AT_ONCE } from './in-turn.js';

test('few works are under way at once, and those that fail give their turns back', async () => {
  const inTurn = dataPlaneTurns();
  let [underWay, most, done] = [0, 0, 0];
  const work = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await settled();
    underWay -= 1;
    done += 1;
    if (done % 2 === 0) throw new Error('failed');
  };
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => inTurn(work)));
  expect([most, done]).toEqual([WORKS_AT_ONCE, 50]);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(25);
});

test('a work that waits too long is refused, and is not begun', async () => {
  const inTurn = dataPlaneTurns({ turns: 1, waiting: [10], waitMs: 1 });
  let end = (): void => {};
  const first = inTurn(() => new Promise<void>((resolve) => (end = resolve)));
  let begun = false;
  const second = inTurn(async () => void (begun = true));
  await expect(second).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
  end();
  await first;
  expect(begun).toBe(false);
});
