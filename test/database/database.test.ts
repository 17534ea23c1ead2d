import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { createTestStore } from '../support/database.js';

describe('the database', () => {
  let store: Store;
  beforeAll(async () => {
    store = await createTestStore();
  });
  afterAll(() => store.close());

  test('returns bigint as a number', async () => {
    const { rows } = await sql<{ n: number }>`select 9007199254740991::bigint as n`.execute(store.db);
    expect(rows[0]?.n).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('throws for a bigint beyond 2^53, and the connection stays usable', async () => {
    await expect(sql`select 9007199254740993::bigint as n`.execute(store.db)).rejects.toThrow('9007199254740993');
    await expect(sql`select 1 as n`.execute(store.db)).resolves.toMatchObject({ rows: [{ n: 1 }] });
  });

  test('does not change how other pools parse bigint', async () => {
    const client = new Client({ connectionString: store.connectionString });
    await client.connect();
    const { rows } = await client.query<{ n: unknown }>('select 1::bigint as n');
    await client.end();
    expect(rows[0]?.n).toBe('1');
  });

  test('does not use a connection again that the server ended during a query', async () => {
    const single = await createTestStore({ poolSize: 1 });
    await expect(sql`select pg_terminate_backend(pg_backend_pid())`.execute(single.db)).rejects.toThrow(
      'terminating connection',
    );
    await expect(sql`select 1 as n`.execute(single.db)).resolves.toMatchObject({ rows: [{ n: 1 }] });
    await single.close();
  });

  test('survives the loss of its connections, idle and within a transaction', async () => {
    await expect(
      store.db.transaction().execute(async (trx) => {
        await sql`select 1`.execute(trx);
        await endOtherSessions(store.connectionString);
        await sql`select 1`.execute(trx);
      }),
    ).rejects.toThrow(/terminat|connection error/);
    await sql`select 1`.execute(store.db);
    await endOtherSessions(store.connectionString);
    await expect
      .poll(() =>
        sql<{ n: number }>`select 2 as n`.execute(store.db).then(
          (result) => result.rows[0]?.n,
          () => null,
        ),
      )
      .toBe(2);
  });
});

/** Ends every session on the database but its own, as an administrator or a failing server would. */
async function endOtherSessions(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
}
