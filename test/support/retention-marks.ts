import type { Store } from '../../src/database/store.js';

/** Returns the mark of each kind of rows, by kind. */
export async function marksOf({ db }: Store): Promise<Readonly<Record<string, Date>>> {
  const rows = await db.selectFrom('retention_marks').selectAll().execute();
  return Object.fromEntries(rows.map(({ kind, complete_since: since }) => [kind, since]));
}
