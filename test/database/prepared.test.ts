import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executePrepared } from '../../src/database/prepared.js';
import type { Store } from '../../src/database/store.js';
import { createTestStore } from '../support/database.js';

describe('a prepared statement', () => {
  let store: Store;
  beforeAll(async () => {
    store = await createTestStore({ poolSize: 1 });
    await sql`create table notes (id int primary key, text text)`.execute(store.db);
    await sql`insert into notes values (1, 'one'), (2, 'two')`.execute(store.db);
  });
  afterAll(() => store.close());

  const find = async (id: number) => {
    const query = sql<{ text: string }>`select text from notes where id = ${id}`;
    return executePrepared(store.db, query);
  };
  const preparedHere = async () => {
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements where statement like '%from notes%'`.execute(store.db);
    return rows;
  };

  it('is prepared once on a connection, and returns the rows of each call', async () => {
    expect([await find(1), await find(2), await find(3)]).toEqual([[{ text: 'one' }], [{ text: 'two' }], []]);
    expect(await preparedHere()).toHaveLength(1);
  });

  it('runs within a transaction, and is rolled back with it', async () => {
    const insertion = sql`insert into notes values (4, 'four')`;
    const undone = store.db.transaction().execute(async (trx) => {
      await executePrepared(trx, insertion);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await find(4)).toEqual([]);
  });

  it('works after a migration has added a column to its table', async () => {
    await sql`alter table notes add column author text`.execute(store.db);
    expect(await find(1)).toEqual([{ text: 'one' }]);
  });

  it('is prepared again on the connection that replaces a lost one', async () => {
    await expect(sql`select pg_terminate_backend(pg_backend_pid())`.execute(store.db)).rejects.toThrow(
      'terminating connection',
    );
    await expect.poll(() => find(1).catch(() => null)).toEqual([{ text: 'one' }]);
    expect(await preparedHere()).toHaveLength(1);
  });
});
