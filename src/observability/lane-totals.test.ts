import { expect, it } from 'vitest';
import type { LaneTotals, LaneTotalsPage } from './lane-totals-store.js';
import { AllLaneTotals } from './lane-totals.js';

const lane = (changes: Partial<LaneTotals> = {}): LaneTotals => ({
  targetKind: 'data_stream',
  state: 'healthy',
  isMuted: false,
  lanes: 10,
  pending: 1,
  oldestSeconds: 0,
  ...changes,
});

/** Pages whose number is in their cursor; counts the pages that are read. */
function pages(all: readonly (readonly LaneTotals[])[]) {
  const read: string[] = [];
  const readPage = async (after: string): Promise<LaneTotalsPage> => {
    read.push(after);
    const index = after === '' ? 0 : Number(after);
    return { totals: all[index] ?? [], next: index + 1 < all.length ? String(index + 1) : null };
  };
  return { read, readPage };
}

it('adds up the totals of all pages, by kind and status', async () => {
  const { readPage } = pages([
    [lane({ pending: 3, oldestSeconds: 7 }), lane({ state: 'retrying', lanes: 1 })],
    [lane({ oldestSeconds: 2 })],
  ]);
  expect(await new AllLaneTotals(readPage).read()).toEqual([
    lane({ lanes: 20, pending: 4, oldestSeconds: 7 }),
    lane({ state: 'retrying', lanes: 1 }),
  ]);
});

it('reads all pages at first, then a part in each reading, and shows a complete visit always', async () => {
  const all = [[lane()], [lane()], [lane()]];
  const { read, readPage } = pages(all);
  const totals = new AllLaneTotals(readPage, 0);
  expect(await totals.read()).toEqual([lane({ lanes: 30, pending: 3 })]);
  expect(read.splice(0)).toEqual(['', '1', '2']);
  all[0] = [lane({ pending: 5 })];
  const shown = [await totals.read(), await totals.read(), await totals.read()].map(([total]) => total?.pending);
  expect(read).toEqual(['', '1', '2']);
  expect(shown).toEqual([3, 3, 7]);
});

it('reads each page once for two readings at the same time', async () => {
  const { read, readPage } = pages([[lane()], [lane()]]);
  const totals = new AllLaneTotals(readPage);
  const expected = [lane({ lanes: 20, pending: 2 })];
  expect(await Promise.all([totals.read(), totals.read()])).toEqual([expected, expected]);
  expect(read).toEqual(['', '1']);
  expect(await totals.read()).toEqual(expected);
});

it('continues behind the last page that was read when a page fails', async () => {
  const { readPage } = pages([[lane()], [lane()]]);
  let fails = true;
  const totals = new AllLaneTotals(async (after) => {
    if (after === '1' && fails) throw new Error('the database is down');
    return readPage(after);
  });
  await expect(totals.read()).rejects.toThrow('the database is down');
  fails = false;
  expect(await totals.read()).toEqual([lane({ lanes: 20, pending: 2 })]);
});
