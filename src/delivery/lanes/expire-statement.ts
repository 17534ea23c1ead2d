import { sql, type RawBuilder } from 'kysely';
import { fromNow, laterByRanges } from '../../database/database-time.js';
import { finishing } from '../finished/finish-statement.js';
import { hasAdmittedEpoch } from './epoch.js';
import { advancedFloor } from './floor.js';

/** When the deadline of a waiting delivery counts from. */
const deadlineStart = laterByRanges(sql`coalesce(redelivered_at, created_at)`, sql`lane.pauses`);

/**
 * Expires the first overdue deliveries that wait in a failing lane: one row with their count
 * (`LaneStore.expireWaiting`). Nothing expires in a paused lane, and no deadline counts a pause. A delivery without a
 * number expires only when every delivery without a number before it does: otherwise it would get a lower number than
 * an earlier delivery of its resource.
 */
export function expireStatement(
  destinationId: string,
  deadlineMs: number,
  limit: number,
): RawBuilder<{ expired: number }> {
  return sql<{ expired: number }>`
      with lane as materialized (
        select lane.destination_id, lane.next_sequence, lane.last_error_message, lane.floor_id, lane.pauses
        from delivery_lanes seen
        join delivery_lanes lane on lane.destination_id = seen.destination_id and lane.revision = seen.revision
        where seen.destination_id = ${destinationId} and seen.batch_id is null and seen.failures > 0
          and seen.paused_at is null
          and ${hasAdmittedEpoch('seen')}
        for update of lane
      ),
      waiting as materialized (
        select d.id, d.sequence, d.is_overdue,
               bool_and(d.sequence is not null or d.is_overdue) over (order by d.id) as keeps_order
        from lane
        cross join lateral (
          select id, sequence, ${deadlineStart} <= ${fromNow(-deadlineMs)} as is_overdue from deliveries
          where destination_id = lane.destination_id and state = 'pending' and id > lane.floor_id
          order by id limit ${limit}
        ) d
      ),
      overdue as materialized (
        select id, sequence, count(*) filter (where sequence is null) over (order by id) as unnumbered
        from waiting
        where is_overdue and (sequence is not null or keeps_order)
      ),
      numbered as (
        update delivery_lanes l
        set next_sequence = lane.next_sequence + (select max(unnumbered) from overdue), revision = l.revision + 1,
            ${advancedFloor(sql`(select min(id) from waiting)`)}
        from lane where l.destination_id = lane.destination_id and exists (select from overdue)
      ),
      ${finishing(sql`where d.destination_id = ${destinationId} and d.id = any(array(select id from overdue))`, {
        state: sql`'expired'`,
        sequence: sql`(array(
              select coalesce(overdue.sequence, lane.next_sequence + overdue.unnumbered - 1) from overdue, lane order by overdue.id
            ))[width_bucket(d.id, array(select id from overdue order by id))]`,
        errorCode: sql`'deadline_exceeded'`,
        errorMessage: sql`concat_ws(' ', 'Its deadline passed while the destination did not take events.',
                                    (select last_error_message from lane))`,
      })},
      uncounted as (
        insert into uncounted_expiries (destination_id, expired)
        select ${destinationId}::text, count(*) from finished having count(*) > 0
      )
      select count(*)::int as expired from finished`;
}
