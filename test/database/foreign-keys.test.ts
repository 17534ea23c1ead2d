import { expect, it } from 'vitest';
import { createTestStore } from '../support/database.js';

it('the deletion of a resource or a lease scans no table: an index begins with each column that references it', async () => {
  const store = await createTestStore({ poolSize: 1 });
  const { rows } = await store.pool.query<{ name: string; is_indexed: boolean }>(`
    select conname as name, exists (
      select from pg_index i where i.indrelid = k.conrelid and i.indkey[0] = k.conkey[1]) as is_indexed
    from pg_constraint k
    where contype = 'f' and confrelid in ('resources'::regclass, 'leases'::regclass)
    order by conname`);
  await store.close();
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter((key) => !key.is_indexed)).toEqual([]);
});
