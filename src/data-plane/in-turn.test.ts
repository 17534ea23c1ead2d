import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dataPlaneTurns } from './in-turn.js';

const turns = { works: 3, renewals: 4 };

test('few works are under way at once, and those that fail give their turns back', async () => {
  const { works } = dataPlaneTurns(turns);
  let [underWay, most, done] = [0, 0, 0];
  const work = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await settled();
    underWay -= 1;
    done += 1;
    if (done % 2 === 0) throw new Error('failed');
  };
  const results = await Promise.allSettled(Array.from({ length: 50 }, (_, index) => works(`acct_${index % 5}`, work)));
  expect([most, done]).toEqual([turns.works, 50]);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(25);
});

/** Fills the turns of a name with works that do not end. Returns how many were begun. */
async function fill(inTurn: ReturnType<typeof dataPlaneTurns>['works'], name: string): Promise<number> {
  let begun = 0;
  for (let count = 0; count < 20; count += 1) {
    // Those that wait are refused after ten seconds.
    inTurn(name, () => new Promise(() => (begun += 1))).catch(() => {});
  }
  await settled();
  return begun;
}

test('the works of one account leave a turn to others, whose renewals have turns of their own', async () => {
  const { works, renewals } = dataPlaneTurns(turns);
  expect(await fill(works, 'acct_busy')).toBe(turns.works - 1);
  expect(await works('acct_quiet', async () => 'reported')).toBe('reported');
  expect(await fill(works, 'acct_other')).toBe(1);
  expect(await renewals('ts_quiet', async () => 'renewed')).toBe('renewed');
});

test('the renewals of one session wait for one another, and for no other', async () => {
  const { renewals } = dataPlaneTurns(turns);
  for (const session of ['ts_1', 'ts_2', 'ts_3']) expect(await fill(renewals, session)).toBe(1);
  expect(await renewals('ts_quiet', async () => 'renewed')).toBe('renewed');
});

test('a work that waits too long is refused, and is not begun', async () => {
  const { works } = dataPlaneTurns({ works: 1, renewals: 1 }, { waiting: [10], waitMs: 1 });
  let end = (): void => {};
  const first = works('acct_1', () => new Promise<void>((resolve) => (end = resolve)));
  let begun = false;
  const second = works('acct_2', async () => void (begun = true));
  await expect(second).rejects.toMatchObject({ code: 'unavailable' });
  end();
  await first;
  expect(begun).toBe(false);
});
