import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { tableOwners } from '../../src/database/table-owners.js';
import { schemaPageOf } from '../../tools/openapi/schema-page.js';
import { createTestStore } from '../support/database.js';

let store: Store;
beforeAll(async () => {
  store = await createTestStore();
});
afterAll(() => store.close());

it('docs/schema.md shows the tables of the migrated database; npm run generate writes it', async () => {
  const page = await schemaPageOf(store.pool);
  expect(await readFile('docs/schema.md', 'utf8')).toBe(page);
  const named = Object.keys(tableOwners).filter((table) => page.includes(`| \`${table}\` `));
  expect(named).toEqual(Object.keys(tableOwners));
});

it('a table without a comment or an owner is refused', async () => {
  await store.pool.query(`comment on table accounts is null`);
  await expect(schemaPageOf(store.pool)).rejects.toThrow('The table accounts has no comment');
  await store.pool.query(`comment on table accounts is 'An account.'; create table strangers (id int)`);
  await expect(schemaPageOf(store.pool)).rejects.toThrow('does not name the owner of strangers');
});
