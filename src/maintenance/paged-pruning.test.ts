import { expect, it } from 'vitest';
import { PagedPruning } from './paged-pruning.js';

const control = { stopped: new AbortController().signal, progressed: () => {} };

it('visits the rows that became old since the last turn, and a bounded number of older ones', async () => {
  const rows = 30_000;
  let pages = 0;
  let oldUpTo = rows;
  const kept = new Set(Array.from({ length: rows + 100 }, (_, index) => index + 1));
  const pruning = new PagedPruning(0, async (after) => {
    pages += 1;
    const page = [...kept].filter((key) => key > after && key <= oldUpTo).slice(0, 500);
    for (const key of page) if (key % 1_000 === 7 && removable) kept.delete(key);
    return { last: page.at(-1) ?? null, more: page.length === 500, removed: 0 };
  });
  let removable = false;
  await pruning.turn(control);
  expect(pages).toBe(rows / 500 + 1);
  pages = 0;
  oldUpTo += 100;
  await pruning.turn(control);
  expect(pages).toBeLessThan(25);
  // Rows that were kept before and may be removed now are found within a few turns.
  removable = true;
  for (let turn = 0; turn < 6; turn += 1) await pruning.turn(control);
  expect([...kept].filter((key) => key % 1_000 === 7)).toEqual([]);
});

/** Pruning of the keys up to `last`; a page of more than `most` rows fails as the statement timeout does. */
function pruningWithTimeout(last: number, most: number) {
  const seen: number[] = [];
  const limit = { most };
  const pruning = new PagedPruning(0, async (after, size) => {
    if (size > limit.most) throw Object.assign(new Error('canceling statement'), { code: '57014' });
    const page = Array.from({ length: Math.max(0, Math.min(size, last - after)) }, (_, index) => after + index + 1);
    seen.push(...page);
    return { last: page.at(-1) ?? null, more: page.length === size, removed: page.length };
  });
  return { pruning, seen, limit };
}

it('tries a page that takes too long again with half the rows, and grows afterwards', async () => {
  const { pruning, seen } = pruningWithTimeout(600, 100);
  const sizes = new Set<number>();
  let before = 0;
  const progressed = (): void => {
    sizes.add(seen.length - before);
    before = seen.length;
  };
  expect(await pruning.turn({ ...control, progressed })).toBe(600);
  expect(seen).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
  // Pages of 500, 250 and 125 rows failed (0), and so did every second page afterwards, of twice the size.
  expect(sizes).toContain(0);
  expect(Math.max(...sizes)).toBe(62);
});

it('fails when a page of one row takes too long, and continues there in the next turn', async () => {
  const { pruning, seen, limit } = pruningWithTimeout(600, 100);
  const progressed = (): void => {
    if (seen.length > 100) limit.most = 0;
  };
  await expect(pruning.turn({ ...control, progressed })).rejects.toThrow('canceling statement');
  const before = seen.length;
  expect(before).toBeLessThan(600);
  limit.most = 500;
  await pruning.turn(control);
  expect(seen[before]).toBe(before + 1);
  expect(new Set(seen).size).toBe(600);
});
