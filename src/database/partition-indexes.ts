import { sql, type Kysely } from 'kysely';
import type { Logger } from '../logging/logger.js';
import { buildConcurrently } from './concurrent-index.js';

/**
 * Builds indexes on each partition of a table while it is written. `create index` on the table then adopts those that
 * are equal.
 * @param indexes by the end of their names, what each is on
 */
export async function indexPartitions(
  db: Kysely<unknown>,
  table: string,
  indexes: Readonly<Record<string, string>>,
  logger: Logger,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass`.execute(db);
  for (const { name } of rows) {
    for (const [end, columns] of Object.entries(indexes)) {
      await buildConcurrently(db, { name: `${name}_${end}`, on: `${name} ${columns}` }, logger);
    }
  }
}
