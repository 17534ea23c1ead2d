import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { ReferenceStore, type ReferrerPage } from '../../src/resources/framework/store/reference-store.js';
import { blocksRead, ExplainedQueries, rowsRead } from '../delivery/support/plans.js';
import { createTestStore } from '../support/database.js';

/** Referrers and children of the resource in the small store, and in the large one. */
const [FEW, MANY] = [300, 12_000];
const PAGE = 100;
const whole: ReferrerPage = { accountId: 'acc_1', toId: 'ipp_1', limit: PAGE, beforeId: undefined };
/** A page in the middle of the small store, and far from either end of the large one. */
const middle = { ...whole, beforeId: 'ipr_000200' };

let few: Store;
let many: Store;

/**
 * A resource with so many referrers, of which each has three links to it, and with as many children. Each referrer has
 * ten links to another resource.
 */
async function storeOf(count: number): Promise<Store> {
  const store = await createTestStore({ poolSize: 1 });
  await store.pool.query('set statement_timeout = 0');
  await store.pool.query(`insert into accounts (id, name) values ('acc_1', 'one')`);
  await store.pool.query(`
    insert into resources (id, account_id, kind, attributes, created_at, updated_at)
    values ('ipp_1', 'acc_1', 'ip_policy', '{}', now(), now()), ('ipp_2', 'acc_1', 'ip_policy', '{}', now(), now())`);
  await store.pool.query(
    `insert into resources (id, account_id, kind, parent_id, attributes, created_at, updated_at)
     select 'ipr_' || lpad(n::text, 6, '0'), 'acc_1', 'ip_policy_rule', 'ipp_1', '{}', now(), now()
     from generate_series(1, $1::int) n`,
    [count],
  );
  await store.pool.query(`
    insert into resource_links (from_id, role, position, to_id)
    select id, role, position, target from resources
    cross join (values ('b', 0, 'ipp_1'), ('a', 0, 'ipp_1'), ('a', 1, 'ipp_1')
                union all select 'c', n, 'ipp_2' from generate_series(1, 10) n) links (role, position, target)
    where kind = 'ip_policy_rule'`);
  await store.pool.query('vacuum analyze resources, resource_links');
  return store;
}

beforeAll(async () => {
  [few, many] = [await storeOf(FEW), await storeOf(MANY)];
});
afterAll(() => Promise.all([few.close(), many.close()]));

/** What a page reads: blocks, and rows of links or children. */
async function workOf(
  store: Store,
  list: 'linked' | 'children',
  part: ReferrerPage,
): Promise<{ blocks: number; rows: number }> {
  const explained = new ExplainedQueries(store);
  const plans = await explained.plansOf(() => new ReferenceStore(explained.db)[list](part));
  const rows = plans
    .flat()
    .filter((node) => node['Relation Name'] !== undefined)
    .map(rowsRead);
  return { blocks: blocksRead(plans), rows: Math.max(...rows) };
}

describe.each(['linked', 'children'] as const)('a page of the resources that refer to one: %s', (list) => {
  it('has the next ones in order, each once', async () => {
    for (const store of [few, many]) {
      const page = await new ReferenceStore(store.db)[list](middle);
      expect(page.map(({ id }) => id)).toEqual(
        Array.from({ length: PAGE }, (_, index) => `ipr_${String(199 - index).padStart(6, '0')}`),
      );
      expect(page[0]).toMatchObject({ kind: 'ip_policy_rule', parentId: 'ipp_1' });
      expect(page[0]?.roles).toEqual(list === 'linked' ? ['a', 'b'] : null);
    }
  });

  it('reads as much among many of them as among few', async () => {
    for (const part of [whole, middle]) {
      const [small, large] = [await workOf(few, list, part), await workOf(many, list, part)];
      // Each level that an index grows by is one block more for each row that is looked up.
      expect(large.blocks).toBeLessThanOrEqual(2 * small.blocks + 4 * PAGE);
      // Three links of each, and a few rows ahead. Without the order of the index, there are many more.
      expect(large.rows).toBeLessThanOrEqual(4 * PAGE);
    }
  });

  it('leaves out a resource whose lease has expired', async () => {
    await few.pool.query(`
      insert into leases (id, account_id, expires_at, content_hash)
      values ('ls_1', 'acc_1', now() - interval '1 second', '')`);
    await few.pool.query(`update resources set lease_id = 'ls_1' where id = 'ipr_000199'`);
    const page = await new ReferenceStore(few.db)[list](middle);
    expect(page[0]?.id).toBe('ipr_000198');
    await few.pool.query(`update resources set lease_id = null where id = 'ipr_000199'`);
    await few.pool.query('delete from leases');
  });
});
