import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { pruneOutsideDays } from '../../src/delivery/finished/rows-outside-days.js';
import type { TurnControl } from '../../src/maintenance/maintenance.js';
import { createTestStore } from '../support/database.js';
import { ExplainedQueries, rowsRead } from './support/plans.js';

const DAY = 86_400_000;
const RETENTION = 90 * DAY;
const control = { stopped: new AbortController().signal, progressed: () => {} };

let store: Store;
beforeEach(async () => {
  store = await createTestStore();
});
afterEach(() => store.close());

/** Writes rows of a day without a partition, in this order; every `keptEach`-th one finished within the retention. */
async function seed(count: number, keptEach = 0): Promise<void> {
  await store.pool.query(
    `insert into finished_deliveries (id, event_id, destination_id, account_id, state, attempts, created_at, finished_at)
     select n, 'evt_00' || lpad(n::text, 24, '0'), 'ed_' || lpad('', 26, '0'), 'acc_' || lpad('', 26, '0'), 'delivered', 1,
            now() - interval '200 days', now() - make_interval(days => case when $2 > 0 and n % $2 = 0 then 1 else 91 end)
     from generate_series(1, $1::int) n`,
    [count, keptEach],
  );
}

const prune = (part: TurnControl) => pruneOutsideDays(store.db, RETENTION, part);

const rowsLeft = async () => {
  const { rows } = await store.pool.query<{ ids: readonly number[] | null }>(
    'select array_agg(id::int order by id) as ids from finished_deliveries_default',
  );
  return rows[0]?.ids ?? [];
};

describe('the finished deliveries outside of the days', () => {
  it('are removed when they are due, also between others', async () => {
    await seed(10_000, 7);
    expect(await prune(control)).toBe(10_000 - Math.floor(10_000 / 7));
    expect(await rowsLeft()).toEqual(Array.from({ length: Math.floor(10_000 / 7) }, (_, index) => 7 * (index + 1)));
    expect(await prune(control)).toBe(0);
  });

  it.each([
    ['without statistics', false],
    ['with statistics', true],
  ])('are removed by pages, of which each reads its own rows alone, %s', async (_, isAnalyzed) => {
    // As after a pause of the task: no vacuum frees what was removed.
    await store.pool.query('alter table finished_deliveries_default set (autovacuum_enabled = off)');
    await seed(30_000);
    const explained = new ExplainedQueries(store);
    // The first query looks for a row that is due, and the others remove the pages. Each is explained on all rows.
    const [, ...pages] = await explained.plansOf(async () => {
      expect(await pruneOutsideDays(explained.db, RETENTION, control)).toBe(30_000);
      await seed(30_000);
      if (isAnalyzed) await store.pool.query('analyze finished_deliveries_default');
    });
    expect(pages.length).toBeGreaterThan(30);
    const read = pages.map((page) =>
      page.filter((node) => node['Relation Name'] !== undefined).reduce((sum, node) => sum + rowsRead(node), 0),
    );
    // A page has at most 500 rows: it reads each, finds each by its key, and deletes it.
    expect(Math.max(...read)).toBeLessThanOrEqual(3 * 500);
  });

  it('are left when the task is stopped, and the next turn removes them', async () => {
    await seed(10_000);
    const stop = new AbortController();
    const removed = await prune({ stopped: stop.signal, progressed: () => stop.abort() });
    expect(removed).toBeGreaterThan(0);
    expect(removed).toBeLessThan(10_000);
    expect(await prune(control)).toBe(10_000 - removed);
  });

  it('are not read in a turn without any that are due', async () => {
    await seed(10_000, 1);
    await store.pool.query('vacuum analyze finished_deliveries_default');
    let pages = 0;
    expect(await prune({ ...control, progressed: () => (pages += 1) })).toBe(0);
    expect(pages).toBe(0);
  });
});
