import { sql } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database } from '../../database/database.js';
import { defaultPartitionName } from '../../database/partitions/day-partitions.js';
import { markRemoved } from '../../database/partitions/retention-marks.js';
import type { TurnControl } from '../../maintenance/maintenance.js';
import { pageOf, PagedPruning, type PageRow, type PrunedPage } from '../../maintenance/paged-pruning.js';

const outside = sql.id(defaultPartitionName('finished_deliveries'));

/** The key of a finished delivery. */
interface DeliveryKey {
  readonly eventId: string;
  readonly id: number;
}

/**
 * Removes the finished deliveries outside of the days that are due: rows of the default partition, in pages. Their keys
 * are not in the order in which they finished, so each turn visits all of them, with a new `PagedPruning`. Ends early,
 * without an error, when `stopped` aborts.
 * @returns how many rows were removed
 */
export async function pruneOutsideDays(db: Database, retentionMs: number, control: TurnControl): Promise<number> {
  const { rows } = await sql`
    select from ${outside} where finished_at <= ${fromNow(-retentionMs)} limit 1`.execute(db);
  if (rows.length === 0) return 0;
  const start: DeliveryKey = { eventId: '', id: 0 };
  return new PagedPruning(start, (after, size) => prunePage(db, retentionMs, after, size)).turn(control);
}

async function prunePage(
  db: Database,
  retentionMs: number,
  after: DeliveryKey,
  size: number,
): Promise<PrunedPage<DeliveryKey>> {
  const { rows } = await sql<PageRow<DeliveryKey>>`
    with page as materialized (
      select event_id, id, finished_at <= ${fromNow(-retentionMs)} as is_due from ${outside}
      where (event_id, id) > (${after.eventId}, ${after.id}) order by event_id, id limit ${size}
    ),
    removed as (
      delete from ${outside} d using page
      where d.event_id = page.event_id and d.id = page.id and page.is_due
      returning d.created_at
    ),
    marked as (${markRemoved('deliveries', 'removed', 'created_at')})
    select (select json_build_object('eventId', event_id, 'id', id) from page
            order by event_id desc, id desc limit 1) as last,
           (select count(*) from page)::int as seen, (select count(*) from removed)::int as removed`.execute(db);
  return pageOf(rows[0], size);
}
