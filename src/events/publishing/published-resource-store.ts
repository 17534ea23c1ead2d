import { sql } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database } from '../../database/database.js';

/** How long the version of a deleted resource is kept, in milliseconds. */
const DELETED_KEPT_MS = 366 * 86_400_000;

/** Removes what publishing needs no longer. */
export class PublishedResourceStore {
  constructor(private readonly db: Database) {}

  /**
   * Removes resources of deleted types, and resources that were deleted long ago. Returns how many, at most `size` of
   * each.
   */
  async prune(size: number): Promise<number> {
    const { rows } = await sql<{ removed: number }>`
      with recursive type as (
        (select type_id from published_resources order by type_id limit 1)
        union all
        select (select p.type_id from published_resources p where p.type_id > type.type_id order by p.type_id limit 1)
        from type where type.type_id is not null
      ),
      orphan as materialized (
        select type_id from type
        where type_id is not null and not exists (select from resources where id = type_id)
      ),
      old as materialized (
        select type_id, resource_id from published_resources
        where deleted_at < ${fromNow(-DELETED_KEPT_MS)} order by deleted_at limit ${size} for update skip locked
      ),
      left_over as materialized (
        select p.type_id, p.resource_id from published_resources p
        where p.type_id = any(array(select type_id from orphan)) limit ${size} for update skip locked
      ),
      page as (select * from old union select * from left_over),
      removed as (
        delete from published_resources p using page
        where p.type_id = page.type_id and p.resource_id = page.resource_id returning 1
      )
      select count(*)::int as removed from removed`.execute(this.db);
    return rows[0]?.removed ?? 0;
  }
}
