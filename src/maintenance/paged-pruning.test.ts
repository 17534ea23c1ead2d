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
  expect(pages).toBeLessThan(45);
  // Rows that were kept before and may be removed now are found within a few turns.
  removable = true;
  for (let turn = 0; turn < 6; turn += 1) await pruning.turn(control);
  expect([...kept].filter((key) => key % 1_000 === 7)).toEqual([]);
});

/** A table of rows that are as old as their key is low; a turn finds those that are due. */
function tableOf(rows: number) {
  const table = { now: 0, visited: 0, kept: new Set<number>() };
  for (let key = 1; key <= rows; key += 1) table.kept.add(key);
  const prunePage = async (isDue: (key: number) => boolean, after: number, size: number, ageMs: number) => {
    const page: number[] = [];
    for (const key of table.kept) {
      if (page.length === size || key > table.now - ageMs) break;
      if (key > after) page.push(key);
    }
    const due = page.filter((key) => isDue(key));
    for (const key of due) table.kept.delete(key);
    table.visited += page.length;
    return { last: page.at(-1) ?? null, more: page.length === size, removed: due.length };
  };
  return { table, prunePage };
}

it('visits rows at each age at which they become due, and no others more than a bounded number of times', async () => {
  const { table, prunePage } = tableOf(100_000);
  // Every second row is due at the age of 10,000, the others at 40,000.
  const isDue = (key: number) => table.now - key >= (key % 2 === 0 ? 10_000 : 40_000);
  const pruning = new PagedPruning(0, (...page) => prunePage(isDue, ...page), [10_000, 40_000]);
  for (table.now = 0; table.now <= 100_000; table.now += 20_000) {
    table.visited = 0;
    await pruning.turn(control);
    expect([...table.kept].filter(isDue)).toEqual([]);
    // Two edges of 20,000 rows, and two walks in vain of 10,000.
    expect(table.visited).toBeLessThan(65_000);
  }
});

it('drains rows that become due late in one turn, however many were kept before them', async () => {
  const { table, prunePage } = tableOf(60_000);
  let isLate = false;
  const pruning = new PagedPruning(0, (...page) => prunePage((key) => isLate && key > 5_000, ...page));
  table.now = 60_000;
  await pruning.turn(control);
  isLate = true;
  expect(await pruning.turn(control)).toBe(55_000);
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
