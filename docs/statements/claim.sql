-- Written by `npx vitest run --project scale test/delivery/statements.scale.test.ts -u`.

with
  asked as materialized (
    select * from unnest((select $1::text[]), (select $2::text[])) as asked ("destination_id", "batch_id")
    limit (select $3::int)
  ),
  seen as materialized (
    select asked.destination_id, asked.batch_id, l.revision, waiting.first_id, waiting.count
    from asked
    cross join lateral (
      select revision, floor_id from delivery_lanes
      where destination_id = asked.destination_id and ("delivery_lanes"."epoch" = (
      select epoch from installation
      where id and server_started_at = pg_postmaster_start_time() and xmin = recorded_by::xid)) is true
        and batch_id is null and (resume_at is null or resume_at <= now()) and paused_at is null
      limit 1
    ) l
    cross join lateral (
      select min(id) as first_id, count(*) as count from (
        select id from deliveries
        where destination_id = asked.destination_id and state = 'pending' and id > l.floor_id
        order by id limit 21
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
      for update skip locked
    ) l
    join (values ($4::text, $5::int, $6::float8, $7::float8, $8::float8), ($9::text, $10::int, $11::float8, $12::float8, $13::float8), ($14::text, $15::int, $16::float8, $17::float8, $18::float8), ($19::text, $20::int, $21::float8, $22::float8, $23::float8), ($24::text, $25::int, $26::float8, $27::float8, $28::float8)) as limits (kind, records, batch_bytes, overhead, expansion) on limits.kind = l.target_kind
    where seen.count <= 20 or $3::int = 1
  ),
  sized as (
    select lane.destination_id, lane.batch_id, lane.target_kind, lane.failures, lane.next_sequence, lane.batch_bytes, d.id, d.event_id, d.sequence, e.type,
           row_number() over (partition by lane.destination_id order by d.id) as position,
           sum(ceil((e.bytes + $29) * lane.expansion) + lane.overhead)
             over (partition by lane.destination_id order by d.id) as bytes
    from lane
    cross join lateral (
      select id, event_id, sequence from deliveries
      where destination_id = lane.destination_id and state = 'pending' and id >= lane.first_id
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
  ),
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
        floor_id = case when l.next_floor_xid < pg_snapshot_xmin(pg_current_snapshot()) and l.next_floor_id < taken.first
                        then l.next_floor_id else l.floor_id end,
        next_floor_id = case when (l.next_floor_xid >= pg_snapshot_xmin(pg_current_snapshot()) and l.next_floor_xid < pg_snapshot_xmax(pg_current_snapshot())) is true or taken.first is null then l.next_floor_id else taken.first - 1 end,
        next_floor_xid = case when (l.next_floor_xid >= pg_snapshot_xmin(pg_current_snapshot()) and l.next_floor_xid < pg_snapshot_xmax(pg_current_snapshot())) is true or taken.first is null then l.next_floor_xid else pg_current_xact_id() end
    from taken
    where l.destination_id = taken.destination_id and l.destination_id = any(array(select destination_id from "taken"))
  )
  select batch_id, target_kind, failures, event_id, type,
         coalesce(sequence, next_sequence + unnumbered - 1) as number, id
  from batch
  union all
  select batch_id, null, null, null, null, null, null from seen
  where not exists (select from lane where lane.destination_id = seen.destination_id)
  order by id
;

-- The plan:
-- Sort
--   Sort Key: batch.id
--   CTE asked
--     ->  Limit
--           InitPlan 1
--             ->  Result
--           InitPlan 2
--             ->  Result
--           InitPlan 3
--             ->  Result
--           ->  Function Scan on asked
--   CTE seen
--     ->  Nested Loop
--           ->  Nested Loop
--                 ->  CTE Scan on asked asked_1
--                 ->  Limit
--                       InitPlan 5
--                         ->  Index Scan using installation_pkey on installation
--                               Index Cond: (id = true)
--                               Filter: ((xmin = (recorded_by)::xid) AND (server_started_at = pg_postmaster_start_time()))
--                       ->  Index Scan using delivery_lanes_pkey on delivery_lanes
--                             Index Cond: (destination_id = asked_1.destination_id)
--                             Filter: ((batch_id IS NULL) AND (paused_at IS NULL) AND ((epoch = (InitPlan 5).col1) IS TRUE) AND ((resume_at IS NULL) OR (resume_at <= now())))
--           ->  Aggregate
--                 Filter: (count(*) > 0)
--                 ->  Limit
--                       ->  Index Only Scan using deliveries_pending on deliveries
--                             Index Cond: ((destination_id = asked_1.destination_id) AND (id > delivery_lanes.floor_id))
--   CTE lane
--     ->  Nested Loop
--           Join Filter: (l.target_kind = "*VALUES*".column1)
--           ->  Nested Loop
--                 ->  CTE Scan on seen seen_1
--                       Filter: ((count <= 20) OR ($3 = 1))
--                 ->  Subquery Scan on l
--                       ->  LockRows
--                             ->  Index Scan using delivery_lanes_pkey on delivery_lanes delivery_lanes_1
--                                   Index Cond: (destination_id = seen_1.destination_id)
--                                   Filter: (revision = seen_1.revision)
--           ->  Values Scan on "*VALUES*"
--   CTE batch
--     ->  WindowAgg
--           Window: w1 AS (PARTITION BY sized.destination_id ORDER BY sized.id)
--           ->  Subquery Scan on sized
--                 Filter: ((sized.bytes <= sized.batch_bytes) OR (sized."position" = 1))
--                 ->  WindowAgg
--                       Window: w1 AS (PARTITION BY lane_1.destination_id ORDER BY deliveries_1.id)
--                       ->  Sort
--                             Sort Key: lane_1.destination_id, deliveries_1.id
--                             ->  Nested Loop
--                                   ->  Nested Loop
--                                         ->  CTE Scan on lane lane_1
--                                         ->  Limit
--                                               ->  Index Scan using deliveries_pending on deliveries deliveries_1
--                                                     Index Cond: ((destination_id = lane_1.destination_id) AND (id >= lane_1.first_id))
--                                   ->  Limit
--                                         ->  Append
--                                               ->  Index Scan using events_<day>_pkey on events_<day> events
--                                                     Index Cond: (id = deliveries_1.event_id)
--   CTE taken
--     ->  GroupAggregate
--           Group Key: batch_1.destination_id, batch_1.batch_id
--           ->  Incremental Sort
--                 Sort Key: batch_1.destination_id, batch_1.batch_id, batch_1.id
--                 Presorted Key: batch_1.destination_id
--                 ->  CTE Scan on batch batch_1
--   CTE claimed
--     ->  Update on delivery_lanes l_1
--           InitPlan 10
--             ->  CTE Scan on taken
--           ->  Nested Loop
--                 Join Filter: (l_1.destination_id = (taken_1.destination_id)::text)
--                 ->  CTE Scan on taken taken_1
--                 ->  Index Scan using delivery_lanes_pkey on delivery_lanes l_1
--                       Index Cond: (destination_id = ANY ((InitPlan 10).col1))
--   ->  Append
--         ->  CTE Scan on batch
--         ->  Nested Loop Anti Join
--               Join Filter: (lane.destination_id = seen.destination_id)
--               ->  CTE Scan on seen
--               ->  CTE Scan on lane
