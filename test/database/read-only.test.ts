import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkWritable } from '../../src/database/connections/writable.js';
import { fromNow } from '../../src/database/database-time.js';
import type { Store } from '../../src/database/store.js';
import { runStatement } from '../../tools/harness/database.js';
import { createTestStore } from '../support/database.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

describe('a pool whose server turned read-only', () => {
  const POOL_SIZE = 4;
  let store: Store;
  beforeEach(async () => {
    store = await createTestStore({ poolSize: POOL_SIZE });
  });
  afterEach(() => store.close());

  /** Opens all connections of the pool, and makes them read-only: those opened later reach another server. */
  async function demote(): Promise<void> {
    const clients = await Promise.all(Array.from({ length: POOL_SIZE }, () => store.pool.connect()));
    for (const client of clients) await client.query('set session characteristics as transaction read only');
    for (const client of clients) client.release();
  }

  const write = (name: string) =>
    store.db
      .insertInto('maintenance_tasks')
      .values({ name, due_at: fromNow(0) })
      .execute();
  const names = async (): Promise<string[]> => {
    const rows = await store.db.selectFrom('maintenance_tasks').select('name').orderBy('name').execute();
    return rows.map(({ name }) => name);
  };

  it('closes all connections after the first refusal', async () => {
    // Every connection has been used before the change.
    await Promise.all(Array.from({ length: POOL_SIZE }, () => sql`select pg_sleep(0.05)`.execute(store.db)));
    await demote();
    await expect(write('refused')).rejects.toMatchObject({ code: '25006' });
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(write));
    expect(await names()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('closes all connections after a transaction was refused', async () => {
    await demote();
    const refused = store.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('maintenance_tasks')
        .values({ name: 'refused', due_at: fromNow(0) })
        .execute();
    });
    await expect(refused).rejects.toMatchObject({ code: '25006' });
    await Promise.all(['a', 'b', 'c', 'd'].map(write));
    expect(await names()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is found by a check that writes nothing', async () => {
    await demote();
    await expect(checkWritable(store.db)).rejects.toMatchObject({ code: '25006' });
    await checkWritable(store.db);
  });
});

describe('an API whose server turned read-only', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await startTestApi();
  });
  afterEach(() => api.close());

  const setReadOnly = async (setting: 'on' | 'off') => {
    const name = new URL(api.store.connectionString).pathname.slice(1);
    await runStatement(
      api.store.connectionString.replace(`/${name}`, '/postgres'),
      `alter database ${name} set default_transaction_read_only = ${setting}`,
    );
    await runStatement(
      api.store.connectionString.replace(`/${name}`, '/postgres'),
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
  };
  const readiness = async () => (await fetch(`${api.baseUrl}/readyz`)).status;
  const creation = async () => {
    const { status } = await api.admin.post('/ip_policies', {});
    return status;
  };

  it('responds with 503 to changes and at /readyz, and recovers with new connections', async () => {
    await api.admin.create('/resource_types', { name: 'order' });
    const publication = async () =>
      api.admin.post('/events', { events: [{ id: '1', type: 'order_created.v0', resource_id: '1', object: {} }] });
    await setReadOnly('on');
    await expect.poll(readiness).toBe(503);
    expect(await creation()).toBe(503);
    expect((await publication()).status).toBe(503);
    await setReadOnly('off');
    await expect.poll(readiness).toBe(200);
    expect(await creation()).toBe(201);
    expect((await publication()).body).toMatchObject({ events: [{ duplicate: false }] });
  });
});
