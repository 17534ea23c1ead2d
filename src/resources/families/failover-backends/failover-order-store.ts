import { sql } from 'kysely';
import type { Transaction } from '../../../database/database.js';

/** Finds those of `backends` that are `id` or fail over to it, directly or through others. */
export async function findReaching(
  trx: Transaction,
  id: string,
  backends: readonly string[],
): Promise<ReadonlySet<string>> {
  // Upwards from one backend: downwards, each of `backends` would reach the whole graph again. `union` drops rows
  // that were seen before, so the recursion ends even in a cycle.
  const { rows } = await sql<{ id: string }>`
    with recursive above (id) as (
      select ${id}::text collate "C"
      union
      select link.from_id
      from above join resource_links as link on link.to_id = above.id and link.role = 'backends'
    )
    select id from above where id = any(${[...backends]})`.execute(trx);
  return new Set(rows.map((row) => row.id));
}
