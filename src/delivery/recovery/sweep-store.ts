import { sql } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database } from '../../database/database.js';
import type { ClaimedBatch } from '../lanes/lane-store.js';

/** A batch that has no attempt although nothing delays it. */
export interface DueBatch extends Omit<ClaimedBatch, 'events'> {
  /** How long it has had neither a backoff nor a lease, in milliseconds. */
  readonly waitedMs: number;
}

/** A lane that may need a repair. */
export type SweptLane =
  /** It has no batch, and pending deliveries. */
  | { readonly kind: 'idle'; readonly destinationId: string; readonly inBackoff: boolean }
  /** It has a batch without an attempt: the batch's job waits in the queue, or is lost. */
  | ({ readonly kind: 'due' } & DueBatch);

/** The lanes of one page that may need a repair. */
export interface SweptPage {
  readonly lanes: readonly SweptLane[];
  /** The last lane of the page; null when no lane follows. */
  readonly next: string | null;
}

interface PageRow extends Omit<DueBatch, 'destinationId' | 'batchId'> {
  last: string | null;
  visited: number;
  destinationId: string | null;
  batchId: string | null;
  inBackoff: boolean;
}

/** Finds what an interrupted step left: idle lanes with pending deliveries, and batches whose job may be lost. */
export class SweepStore {
  constructor(private readonly db: Database) {}

  /**
   * Visits the next `limit` lanes in the order of their ids. Returns the lanes without a batch that have pending
   * deliveries, and those whose batch has had neither a backoff nor a lease for `graceMs`. A paused lane needs nothing.
   * @param after only lanes behind this id
   */
  async page(after: string, limit: number, graceMs: number): Promise<SweptPage> {
    const { rows } = await sql<PageRow>`
      with page as materialized (
        select destination_id, target_kind, batch_id, floor_id, resume_at, failures, paused_at,
               greatest(claimed_at, resume_at, attempt_until) as since
        from delivery_lanes
        where destination_id > ${after}
        order by destination_id limit ${limit}
      )
      select visited.last, visited.count::int as visited,
             found.destination_id as "destinationId", found.target_kind as "targetKind", found.batch_id as "batchId",
             found.in_backoff as "inBackoff", found.failures, found.waited_ms as "waitedMs"
      from (select max(destination_id) as last, count(*) from page) visited
      left join (
        select destination_id, target_kind, batch_id, coalesce(resume_at > now(), false) as in_backoff, failures,
               extract(epoch from now() - since)::float8 * 1000 as waited_ms
        from page
        where paused_at is null and
              case when batch_id is not null then since <= ${fromNow(-graceMs)}
                   else exists (select from deliveries d
                                where d.destination_id = page.destination_id and d.state = 'pending' and d.id > page.floor_id)
              end
      ) found on true
      order by found.destination_id`.execute(this.db);
    const [first] = rows;
    return { lanes: rows.flatMap(sweptLane), next: first && first.visited === limit ? first.last : null };
  }
}

function sweptLane(row: PageRow): readonly SweptLane[] {
  const { destinationId, batchId, inBackoff, targetKind, failures, waitedMs } = row;
  if (destinationId === null) return [];
  return batchId === null
    ? [{ kind: 'idle', destinationId, inBackoff }]
    : [{ kind: 'due', destinationId, batchId, targetKind, failures, waitedMs }];
}
