import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { finishedTable } from '../../src/delivery/finished/finished-days.js';
import { RowsOutsideDays, type BlockRange } from '../../src/delivery/finished/rows-outside-days.js';
import { createTestStore } from '../support/database.js';

const DAY = 86_400_000;
const RETENTION_DAYS = 90;
const CHUNK_BLOCKS = 32;
const control = { stopped: new AbortController().signal, progressed: () => {} };

let store: Store;
let outside: RowsOutsideDays;
beforeEach(async () => {
  store = await createTestStore();
  outside = new RowsOutsideDays(store.db, finishedTable.name, RETENTION_DAYS * DAY, CHUNK_BLOCKS);
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

const rowsLeft = async () => {
  const { rows } = await store.pool.query<{ ids: readonly number[] | null }>(
    'select array_agg(id::int order by id) as ids from finished_deliveries_default',
  );
  return rows[0]?.ids ?? [];
};

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

const nodesIn = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesIn)];

/** Removes one chunk. Returns the nodes of the plan that read the table, and the blocks that its removal has read. */
async function remove(chunk: BlockRange): Promise<{ scans: readonly string[]; blocks: number }> {
  const { rows } = await sql<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>`
    explain (analyze, buffers, timing off, format json) ${outside.removal(chunk)}`.execute(store.db);
  const [{ Plan: plan } = { Plan: undefined }] = rows[0]?.['QUERY PLAN'] ?? [];
  if (!plan) throw new Error('There is no plan.');
  const reading = nodesIn(plan).filter((node) => node['Relation Name'] === 'finished_deliveries_default');
  const removal = reading.find((node) => node['Node Type'] === 'ModifyTable');
  return {
    scans: reading.filter((node) => node !== removal).map((node) => node['Node Type']),
    blocks: (removal?.['Shared Hit Blocks'] ?? 0) + (removal?.['Shared Read Blocks'] ?? 0),
  };
}

describe('the finished deliveries outside of the days', () => {
  it('are removed when they are due, also between others', async () => {
    await seed(10_000, 7);
    expect((await outside.chunks()).length).toBeGreaterThan(4);
    expect(await outside.prune(control)).toBe(10_000 - Math.floor(10_000 / 7));
    expect(await rowsLeft()).toEqual(Array.from({ length: Math.floor(10_000 / 7) }, (_, index) => 7 * (index + 1)));
    expect(await outside.prune(control)).toBe(0);
  });

  it('are removed by chunks, of which the last reads no more than the first', async () => {
    await seed(30_000);
    // As after a pause of the task: no vacuum frees what the first chunks have removed.
    await store.pool.query('alter table finished_deliveries_default set (autovacuum_enabled = off)');
    const chunks = await outside.chunks();
    expect(chunks.length).toBeGreaterThan(12);
    const read: number[] = [];
    for (const chunk of chunks) {
      const { scans, blocks } = await remove(chunk);
      expect(scans).toEqual(['Tid Range Scan']);
      read.push(blocks);
    }
    expect(await rowsLeft()).toEqual([]);
    const [first = 0] = read;
    // Each row is visited twice, to find it and to remove it. The first chunk reads more: the catalogue, the mark.
    expect(first).toBeGreaterThanOrEqual(CHUNK_BLOCKS);
    expect(Math.max(...read.slice(1))).toBeLessThanOrEqual(1.1 * first);
  });

  it('are left when the task is stopped, and the next turn removes them', async () => {
    await seed(10_000);
    const stop = new AbortController();
    const removed = await outside.prune({ stopped: stop.signal, progressed: () => stop.abort() });
    expect(removed).toBeGreaterThan(0);
    expect(removed).toBeLessThan(10_000);
    expect(await outside.prune(control)).toBe(10_000 - removed);
  });

  it('are not read in a turn without any that are due', async () => {
    await seed(10_000, 1);
    await store.pool.query('vacuum analyze finished_deliveries_default');
    let chunks = 0;
    expect(await outside.prune({ ...control, progressed: () => (chunks += 1) })).toBe(0);
    expect(chunks).toBe(0);
  });
});
