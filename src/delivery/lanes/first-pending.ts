import { sql, type RawBuilder } from 'kysely';

const pendingOfLane = sql`
        from deliveries where destination_id = l.destination_id and state = 'pending' and id > l.floor_id
        order by id`;

/**
 * Joins the first pending delivery of a lane `l` as the table `first`. `asked_at` is the oldest time that a deadline
 * counts from. After a redelivery it may be that of a later delivery: then the first `most` are read.
 */
export function joinFirstPending(most: number): RawBuilder<unknown> {
  return sql`
      left join lateral (
        select created_at, case when redelivered_at is null then created_at else (
          select min(coalesce(redelivered_at, created_at))
          from (select redelivered_at, created_at ${pendingOfLane} limit ${sql.lit(most)}) oldest
        ) end as asked_at ${pendingOfLane} limit 1
      ) first on true`;
}
