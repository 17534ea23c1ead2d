import { sql, type RawBuilder } from 'kysely';
import { PreparedStatement } from '../../database/prepared.js';
import type { TargetKind } from '../../targets/target.js';
import { askedCount, askedLanes, isLaneOf, lockedLane, type LockMode } from './asked-lanes.js';
import { SMALL_BATCH } from './batch-limits.js';
import { NUMBER_BYTES } from './delivered-event.js';
import { hasAdmittedEpoch } from './epoch.js';
import { advancedFloor } from './floor.js';

/** A lane to be claimed, with the id that its batch gets. */
export interface ClaimRequest {
  readonly destinationId: string;
  readonly batchId: string;
}

/** One event of a claimed batch, with its number. */
export interface ClaimRow {
  batch_id: string;
  target_kind: TargetKind;
  /** Null: the lane is left to a claim of its own; so are the other columns but `batch_id`. */
  event_id: string | null;
  type: string;
  number: number;
  failures: number;
}

/** A claim of the lanes of `claimValues`. */
export type ClaimStatement = PreparedStatement<ClaimRow>;

/**
 * Claims the next batch of each lane: one row for each event, in order; no row for a lane in which nothing is pending.
 * A lane is left, with one row that has no event, when it was changed since the snapshot, or another transaction has
 * locked it and the claim skips locks. A claim of several lanes also leaves a lane with many pending deliveries, which
 * bounds the result.
 *
 * A lane is locked only when a delivery is pending in the snapshot: the claim that finds none writes nothing.
 * @param limits the table of `limitsTable`
 */
export function claimStatement(limits: RawBuilder<unknown>, mode: LockMode): ClaimStatement {
  return new PreparedStatement(sql<ClaimRow>`
      with ${askedLanes({ destination_id: 'text[]', batch_id: 'text[]' })},
      seen as materialized (
        select asked.destination_id, asked.batch_id, l.revision, waiting.first_id, waiting.count
        from asked
        cross join lateral (
          select revision, floor_id from delivery_lanes
          where destination_id = asked.destination_id and ${hasAdmittedEpoch('delivery_lanes')}
            and batch_id is null and (resume_at is null or resume_at <= now()) and paused_at is null
          limit 1
        ) l
        cross join lateral (
          select min(id) as first_id, count(*) as count from (
            select id from deliveries
            where destination_id = asked.destination_id and state = 'pending' and id > l.floor_id
            order by id limit ${sql.lit(SMALL_BATCH + 1)}
          ) d
        ) waiting
        where waiting.count > 0
      ),
      lane as materialized (
        select seen.destination_id, seen.batch_id, seen.first_id, l.target_kind, l.failures, l.next_sequence,
               limits.records, limits.batch_bytes, limits.overhead, limits.expansion
        from seen
        cross join lateral (
          select target_kind, failures, next_sequence from delivery_lanes
          where destination_id = seen.destination_id and revision = seen.revision
          ${lockedLane(mode)}
        ) l
        join ${limits} on limits.kind = l.target_kind
        where seen.count <= ${sql.lit(SMALL_BATCH)} or ${askedCount} = 1
      ),
      ${nextBatch(sql`id >= lane.first_id`, sql`lane.batch_id, lane.target_kind, lane.failures, lane.next_sequence,`)},
      taken as materialized (
        select destination_id, batch_id, array_agg(id order by id) as ids, max(unnumbered) as unnumbered, min(id) as first
        from batch group by destination_id, batch_id
      ),
      claimed as (
        update delivery_lanes l
        set batch_id = taken.batch_id, claimed_at = now(), revision = l.revision + 1, batch_attempts = 0,
            batch_delivery_ids = taken.ids,
            batch_first_sequence = l.next_sequence,
            next_sequence = l.next_sequence + taken.unnumbered,
            ${advancedFloor(sql`taken.first`)}
        from taken
        where l.destination_id = taken.destination_id and ${isLaneOf('taken')}
      )
      select batch_id, target_kind, failures, event_id, type,
             coalesce(sequence, next_sequence + unnumbered - 1) as number, id
      from batch
      union all
      select batch_id, null, null, null, null, null, null from seen
      where not exists (select from lane where lane.destination_id = seen.destination_id)
      order by id`);
}

/** Returns the values of a claim of these lanes. */
export function claimValues(lanes: readonly ClaimRequest[]): readonly unknown[] {
  return [lanes.length, lanes.map(({ destinationId }) => destinationId), lanes.map(({ batchId }) => batchId)];
}

/**
 * The part `batch` of a statement whose part `lane` holds locked lanes with their limits: the pending deliveries of
 * each lane, in order, up to the limits, and one at least. `unnumbered` counts the deliveries without a number up to
 * each.
 * @param condition which of the pending deliveries may be claimed: from where on, at least
 * @param carried further columns of `lane`, each followed by a comma: a join with `batch` could not be planned
 */
export function nextBatch(condition: RawBuilder<unknown>, carried: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  return sql`
      sized as (
        select lane.destination_id, ${carried} lane.batch_bytes, d.id, d.event_id, d.sequence, e.type,
               row_number() over (partition by lane.destination_id order by d.id) as position,
               sum(ceil((e.bytes + ${NUMBER_BYTES}) * lane.expansion) + lane.overhead)
                 over (partition by lane.destination_id order by d.id) as bytes
        from lane
        cross join lateral (
          select id, event_id, sequence from deliveries
          where destination_id = lane.destination_id and state = 'pending' and ${condition}
          order by id limit lane.records
        ) d
        cross join lateral (
          -- The limit keeps the planner from a scan of all events, which it prefers while they are few.
          select type, octet_length(payload) as bytes from events where id = d.event_id limit 1
        ) e
      ),
      batch as materialized (
        select sized.*, count(*) filter (where sequence is null) over (partition by destination_id order by id) as unnumbered
        from sized
        where bytes <= batch_bytes or position = 1
      )`;
}
