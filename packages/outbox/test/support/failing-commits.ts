import type pg from 'pg';

/** Makes every transaction that changes `table` fail at its commit, when all its statements have succeeded. */
export async function failingCommits(pool: pg.Pool, table: string): Promise<{ end: () => Promise<void> }> {
  await pool.query(`
    create function refuse_commit() returns trigger language plpgsql as
      $$ begin raise exception 'the commit is refused'; end $$;
    create constraint trigger refuse_commit after insert or update on ${table} deferrable initially deferred
      for each row execute function refuse_commit();`);
  return {
    end: async () => {
      await pool.query('drop function refuse_commit cascade');
    },
  };
}
