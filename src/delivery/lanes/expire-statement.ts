import { sql, type RawBuilder } from 'kysely';
import { fromNow } from '../../database/database-time.js';

/**
 * Expires the first overdue deliveries that wait in a failing lane: one row with their count
 * (`LaneStore.expireWaiting`).
 */
export function expireStatement(
  destinationId: string,
  deadlineMs: number,
  limit: number,
): RawBuilder<{ expired: number }> {
  return sql<{ expired: number }>`
      with lane as materialized (
        select lane.destination_id, lane.next_sequence, lane.last_error_message
        from delivery_lanes seen
        join delivery_lanes lane on lane.destination_id = seen.destination_id and lane.revision = seen.revision
        where seen.destination_id = ${destinationId} and seen.batch_id is null and seen.failures > 0
        for update of lane
      ),
      overdue as materialized (
        select d.id, d.sequence, count(*) filter (where d.sequence is null) over (order by d.id) as unnumbered
        from lane
        cross join lateral (
          select id, sequence, coalesce(redelivered_at, created_at) as asked_at from deliveries
          where destination_id = lane.destination_id and state = 'pending'
          order by id limit ${limit}
        ) d
        where d.asked_at <= ${fromNow(-deadlineMs)}
      ),
      numbered as (
        update delivery_lanes l
        set next_sequence = lane.next_sequence + (select max(unnumbered) from overdue), revision = l.revision + 1
        from lane where l.destination_id = lane.destination_id and exists (select from overdue)
      ),
      marked as (
        update deliveries d
        set state = 'expired', finished_at = now(), error_code = 'deadline_exceeded',
            sequence = (array(
              select coalesce(overdue.sequence, lane.next_sequence + overdue.unnumbered - 1) from overdue, lane order by overdue.id
            ))[width_bucket(d.id, array(select id from overdue order by id))],
            error_message = concat_ws(' ', 'Its deadline passed while the destination did not take events.',
                                      (select last_error_message from lane))
        where d.destination_id = ${destinationId} and d.id = any(array(select id from overdue))
        returning d.id
      )
      select count(*)::int as expired from marked`;
}
