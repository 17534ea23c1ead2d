-- Written by `npx vitest run --project scale test/delivery/statements.scale.test.ts -u`.

with
  asked as materialized (
    select attempt.*
    from unnest((select $1::json[])) as value
    cross join lateral json_to_record(value) as attempt ("destination_id" text, "batch_id" text, "token" text, "attempt" int, "resume_at" timestamptz, "ids" bigint[], "sequences" bigint[], "states" text[], "codes" text[], "messages" text[], "frees_lane" boolean, "next_sequence" bigint, "status" text, "failures" int, "delay_ms" float8, "error_code" text, "error_message" text, "latest_timestamp_ms" bigint, "started_at" timestamptz, "duration_ms" int, "delivered" int, "retried" int, "rejected" int, "tried" int, "outcome" text, "code" text, "message" text, "http_status" int, "latencies" int[], "rejections" jsonb, "current_batch_id" text, "current_ids" bigint[], "current_first_sequence" bigint, "current_attempt" int, "next_batch_id" text, "next_token" text, "held_ids" bigint[])
    limit (select $2::int)
  ),
  lane as materialized (
    select asked.*, locked.first_number, locked.floor_id, locked.scans,
           limits.records, limits.batch_bytes, limits.overhead, limits.expansion
    from asked
    cross join lateral (
      select target_kind, floor_id, coalesce(asked.next_sequence, next_sequence) as first_number,
             asked.next_batch_id is not null and epoch = (
      select epoch from installation
      where id and server_started_at = pg_postmaster_start_time() and xmin = recorded_by::xid) and paused_at is null as scans
      from delivery_lanes
      where destination_id = asked.destination_id and batch_id = asked.batch_id and attempt_token = asked.token
        -- A standby that was promoted may lack the claim of the current batch, and so the count of its numbers.
        and (asked.current_ids is null or asked.current_ids[1] = any(batch_delivery_ids))
      for update
    ) locked
    join (values ($3::text, $4::int, $5::float8, $6::float8, $7::float8), ($8::text, $9::int, $10::float8, $11::float8, $12::float8), ($13::text, $14::int, $15::float8, $16::float8, $17::float8), ($18::text, $19::int, $20::float8, $21::float8, $22::float8), ($23::text, $24::int, $25::float8, $26::float8, $27::float8)) as limits (kind, records, batch_bytes, overhead, expansion) on limits.kind = locked.target_kind
  ),
  sized as (
    select lane.destination_id,  lane.batch_bytes, d.id, d.event_id, d.sequence, e.type,
           row_number() over (partition by lane.destination_id order by d.id) as position,
           sum(ceil((e.bytes + $28) * lane.expansion) + lane.overhead)
             over (partition by lane.destination_id order by d.id) as bytes
    from lane
    cross join lateral (
      select id, event_id, sequence from deliveries
      where destination_id = lane.destination_id and state = 'pending' and id > lane.floor_id and lane.scans and id not in (select unnest(held_ids) from asked)
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
  next as materialized (
    select lane.*, waiting.first_id, waiting.claimed_ids,
           case when waiting.claimed_ids is not null then waiting.unnumbered else 0 end as numbers
    from lane
    cross join lateral (
      -- Nothing is claimed while a delivery before the current batch waits, which was committed late: the deliveries
      -- of a batch get their numbers in the order of their ids, also when it is read again after a crash.
      select min(id) as first_id, max(unnumbered) as unnumbered,
             case when lane.current_ids is null or min(id) > lane.current_ids[cardinality(lane.current_ids)]
                  then array_agg(id order by id) end as claimed_ids
      from batch where batch.destination_id = lane.destination_id
    ) waiting
  ),
  advanced as (
    update delivery_lanes l
    set batch_id = coalesce(next.current_batch_id, case when next.claimed_ids is not null then next.next_batch_id end),
        batch_delivery_ids = next.current_ids || next.claimed_ids,
        batch_first_sequence = coalesce(next.current_first_sequence, next.first_number),
        next_sequence = next.first_number + next.numbers,
        -- Only a scan may move the floor. What is being sent is pending as well.
        floor_id = case when l.next_floor_xid < pg_snapshot_xmin(pg_current_snapshot()) and l.next_floor_id < case when next.scans then least(next.current_ids[1], next.first_id) end
                        then l.next_floor_id else l.floor_id end,
        next_floor_id = case when (l.next_floor_xid >= pg_snapshot_xmin(pg_current_snapshot()) and l.next_floor_xid < pg_snapshot_xmax(pg_current_snapshot())) is true or case when next.scans then least(next.current_ids[1], next.first_id) end is null then l.next_floor_id else case when next.scans then least(next.current_ids[1], next.first_id) end - 1 end,
        next_floor_xid = case when (l.next_floor_xid >= pg_snapshot_xmin(pg_current_snapshot()) and l.next_floor_xid < pg_snapshot_xmax(pg_current_snapshot())) is true or case when next.scans then least(next.current_ids[1], next.first_id) end is null then l.next_floor_xid else pg_current_xact_id() end,
        claimed_at = case when next.current_batch_id is not null or next.claimed_ids is not null then now() end,
        attempt_token = case when next.current_batch_id is not null then l.attempt_token when next.claimed_ids is not null then next.next_token end,
        attempt_until = case when next.current_batch_id is not null or next.claimed_ids is not null then now() + $29::float8 * interval '1 millisecond' end,
        batch_attempts = coalesce(next.current_attempt, (next.claimed_ids is not null)::int),
        revision = l.revision + 1,
        failures = case when next.attempt is not null then 0 else l.failures end,
        status = case when next.attempt is not null then 'healthy' else l.status end,
        status_since = case when next.attempt is not null and l.status <> 'healthy' then now() else l.status_since end,
        -- It tells the attempt that is being made whether the lane was resumed.
        resume_at = case when next.current_batch_id is not null then l.resume_at end,
        last_error_code = coalesce(next.error_code, l.last_error_code),
        last_error_message = coalesce(next.error_message, l.last_error_message),
        last_error_at = case when next.error_code is null then l.last_error_at else now() end,
        latest_timestamp_ms = greatest(l.latest_timestamp_ms, next.latest_timestamp_ms)
    from next, resources r
    where l.destination_id = next.destination_id and l.destination_id = any(array(select destination_id from "next")) and r.id = next.destination_id
      and (next.attempt is not null or next.claimed_ids is not null)
    returning l.destination_id, next.claimed_ids::text as delivery_ids, next.first_number as first_sequence,
              r.version, l.resume_at::text as resume_at, l.projected
  ),
  finished as (
    delete from deliveries d using lane where d.destination_id = lane.destination_id and d.id = any(lane."ids") and d.state = 'pending'
      and d.destination_id = any(array(select destination_id from lane))
      and d.id = any(array(select unnest("ids") from lane))
    returning d.id, d.event_id, d.destination_id, d.account_id, case when lane.states is null then 'delivered' else lane.states[width_bucket(d.id, lane."ids")] end as state, lane."sequences"[width_bucket(d.id, lane."ids")] as sequence,
              lane.batch_id as batch_id, lane.attempt as attempts, d.created_at, lane."codes"[width_bucket(d.id, lane."ids")] as error_code,
              lane."messages"[width_bucket(d.id, lane."ids")] as error_message, d.redelivered_at, case when d.batch_id = lane.batch_id then d.earlier_runs else case when d.batch_id is null then d.earlier_runs else
case when jsonb_array_length(d.earlier_runs) >= 10 then d.earlier_runs - 0
   else coalesce(d.earlier_runs, '[]') end
|| jsonb_build_object('batch_id', d.batch_id, 'attempts', d.attempts, 'state', d.state,
                    'code', d.error_code, 'message', d.error_message) end end as earlier_runs, d.backfill_id
  ),
  recorded as (
    insert into finished_deliveries (id, event_id, destination_id, account_id, state, sequence, batch_id, attempts,
                                     created_at, finished_at, error_code, error_message, redelivered_at,
                                     earlier_runs, backfill_id)
    select id, event_id, destination_id, account_id, state, sequence, batch_id, attempts,
           created_at, now(), error_code, error_message, redelivered_at, earlier_runs, backfill_id
    from "finished"),
  attempt as (
    insert into delivery_attempts (batch_id, destination_id, number, started_at, duration_ms, records, delivered, retried,
                                   rejected, outcome, code, message, http_status, latencies, rejections)
    select batch_id, destination_id, attempt, started_at, duration_ms, tried, delivered, retried,
           rejected, outcome, code, message, http_status, latencies, rejections
    from lane where attempt is not null
  )
  select destination_id, delivery_ids, first_sequence, version, resume_at, projected from advanced
;

-- The plan:
-- CTE Scan on advanced
--   CTE asked
--     ->  Limit
--           InitPlan 1
--             ->  Result
--           InitPlan 2
--             ->  Result
--           ->  Nested Loop
--                 ->  Function Scan on unnest value
--                 ->  Function Scan on json_to_record attempt
--   CTE lane
--     ->  Nested Loop
--           Join Filter: (locked.target_kind = "*VALUES*".column1)
--           ->  Nested Loop
--                 ->  CTE Scan on asked
--                 ->  Subquery Scan on locked
--                       ->  LockRows
--                             InitPlan 4
--                               ->  Index Scan using installation_pkey on installation
--                                     Index Cond: (id = true)
--                                     Filter: ((xmin = (recorded_by)::xid) AND (server_started_at = pg_postmaster_start_time()))
--                             ->  Index Scan using delivery_lanes_pkey on delivery_lanes
--                                   Index Cond: (destination_id = asked.destination_id)
--                                   Filter: ((batch_id = asked.batch_id) AND (attempt_token = asked.token) AND ((asked.current_ids IS NULL) OR ((asked.current_ids)[1] = ANY (batch_delivery_ids))))
--           ->  Values Scan on "*VALUES*"
--   CTE batch
--     ->  WindowAgg
--           Window: w1 AS (PARTITION BY sized.destination_id ORDER BY sized.id)
--           ->  Subquery Scan on sized
--                 Filter: ((sized.bytes <= sized.batch_bytes) OR (sized."position" = 1))
--                 ->  WindowAgg
--                       Window: w1 AS (PARTITION BY lane.destination_id ORDER BY deliveries.id)
--                       ->  Sort
--                             Sort Key: lane.destination_id, deliveries.id
--                             ->  Nested Loop
--                                   ->  Nested Loop
--                                         ->  CTE Scan on lane
--                                         ->  Limit
--                                               ->  Result
--                                                     One-Time Filter: lane.scans
--                                                     ->  Index Scan using deliveries_pending on deliveries
--                                                           Index Cond: ((destination_id = lane.destination_id) AND (id > lane.floor_id))
--                                                           Filter: (NOT (ANY (id = (hashed SubPlan 6).col1)))
--                                                           SubPlan 6
--                                                             ->  ProjectSet
--                                                                   ->  CTE Scan on asked asked_1
--                                   ->  Limit
--                                         ->  Append
--                                               ->  Index Scan using events_<day>_pkey on events_<day> events
--                                                     Index Cond: (id = deliveries.event_id)
--   CTE next
--     ->  Nested Loop
--           ->  CTE Scan on lane lane_1
--           ->  Aggregate
--                 ->  Sort
--                       Sort Key: batch.id
--                       ->  CTE Scan on batch
--                             Filter: (destination_id = lane_1.destination_id)
--   CTE advanced
--     ->  Update on delivery_lanes l
--           InitPlan 9
--             ->  CTE Scan on next
--           ->  Nested Loop
--                 Join Filter: (l.destination_id = (next_1.destination_id)::text)
--                 ->  Nested Loop
--                       ->  CTE Scan on next next_1
--                             Filter: ((attempt IS NOT NULL) OR (claimed_ids IS NOT NULL))
--                       ->  Index Scan using resources_pkey on resources r
--                             Index Cond: (id = (next_1.destination_id)::text)
--                 ->  Index Scan using delivery_lanes_pkey on delivery_lanes l
--                       Index Cond: ((destination_id = r.id) AND (destination_id = ANY ((InitPlan 9).col1)))
--   CTE finished
--     ->  Delete on deliveries d
--           InitPlan 11
--             ->  CTE Scan on lane lane_2
--           InitPlan 12
--             ->  ProjectSet
--                   ->  CTE Scan on lane lane_3
--           ->  Nested Loop
--                 Join Filter: (((lane_4.destination_id)::text = d.destination_id) AND (d.id = ANY (lane_4.ids)))
--                 ->  Index Scan using deliveries_pending on deliveries d
--                       Index Cond: ((destination_id = ANY ((InitPlan 11).col1)) AND (id = ANY ((InitPlan 12).col1)))
--                       Filter: (state = 'pending'::text)
--                 ->  CTE Scan on lane lane_4
--   CTE recorded
--     ->  Insert on finished_deliveries
--           ->  CTE Scan on finished
--   CTE attempt
--     ->  Insert on delivery_attempts
--           ->  CTE Scan on lane lane_5
--                 Filter: (attempt IS NOT NULL)
