-- Written by `npx vitest run --project scale test/delivery/statements.scale.test.ts -u`.

with
  asked as materialized (
    select attempt.*
    from unnest((select $1::json[])) as value
    cross join lateral json_to_record(value) as attempt ("destination_id" text, "batch_id" text, "token" text, "attempt" int, "resume_at" timestamptz, "ids" bigint[], "sequences" bigint[], "states" text[], "codes" text[], "messages" text[], "frees_lane" boolean, "next_sequence" bigint, "status" text, "failures" int, "delay_ms" float8, "error_code" text, "error_message" text, "latest_timestamp_ms" bigint, "started_at" timestamptz, "duration_ms" int, "delivered" int, "retried" int, "rejected" int, "tried" int, "outcome" text, "code" text, "message" text, "http_status" int, "latencies" int[], "rejections" jsonb, "kept_ids" bigint[], "kept_sequences" bigint[], "kept_codes" text[], "kept_messages" text[])
    limit (select $2::int)
  ),
  lane as materialized (
    select asked.*
    from asked
    cross join lateral (
      select from delivery_lanes
      where destination_id = asked.destination_id and batch_id = asked.batch_id and attempt_token = asked.token
      for update skip locked
    ) locked
  ),
  settled as (
    update delivery_lanes l
    set batch_id = case when lane.kept_ids is not null and not lane.frees_lane then l.batch_id end,
        batch_delivery_ids = case when lane.kept_ids is not null and not lane.frees_lane then lane.kept_ids end,
        claimed_at = case when lane.kept_ids is not null and not lane.frees_lane then l.claimed_at end,
        attempt_token = null, attempt_until = null, revision = l.revision + 1,
        next_sequence = coalesce(lane.next_sequence, l.next_sequence),
        failures = case when lane.status is null then l.failures
                        when l.resume_at is distinct from lane.resume_at then least(lane.failures, 1) else lane.failures end,
        status = coalesce(lane.status, l.status),
        status_since = case when l.status = coalesce(lane.status, l.status) then l.status_since else now() end,
        -- Null without a delay: nothing failed.
        resume_at = case when not (l.resume_at is distinct from lane.resume_at) then now() + lane.delay_ms::float8 * interval '1 millisecond' end,
        last_error_code = coalesce(lane.error_code, l.last_error_code),
        last_error_message = coalesce(lane.error_message, l.last_error_message),
        last_error_at = case when lane.error_code is null then l.last_error_at else now() end,
        latest_timestamp_ms = greatest(l.latest_timestamp_ms, lane.latest_timestamp_ms)
    from lane
    where l.destination_id = lane.destination_id and l.destination_id = any(array(select destination_id from "lane"))
    returning lane.token, l.resume_at is not null as backs_off
  ),
  kept as (
    update deliveries d
    set sequence = lane."kept_sequences"[width_bucket(d.id, lane."kept_ids")],
        batch_id = case when lane."kept_codes"[width_bucket(d.id, lane."kept_ids")] is not null then lane.batch_id else d.batch_id end,
        attempts = case when lane."kept_codes"[width_bucket(d.id, lane."kept_ids")] is not null then lane.attempt else d.attempts end,
        error_code = case when lane."kept_codes"[width_bucket(d.id, lane."kept_ids")] is not null then lane."kept_codes"[width_bucket(d.id, lane."kept_ids")] else d.error_code end,
        error_message = case when lane."kept_codes"[width_bucket(d.id, lane."kept_ids")] is not null then lane."kept_messages"[width_bucket(d.id, lane."kept_ids")] else d.error_message end,
        earlier_runs = case when lane."kept_codes"[width_bucket(d.id, lane."kept_ids")] is not null then case when d.batch_id = lane.batch_id then d.earlier_runs else case when d.batch_id is null then d.earlier_runs else
case when jsonb_array_length(d.earlier_runs) >= 10 then d.earlier_runs - 0
   else coalesce(d.earlier_runs, '[]') end
|| jsonb_build_object('batch_id', d.batch_id, 'attempts', d.attempts, 'state', d.state,
                    'code', d.error_code, 'message', d.error_message) end end else d.earlier_runs end
    from lane
    where d.destination_id = lane.destination_id and d.id = any(lane."kept_ids") and d.state = 'pending'
      and d.destination_id = any(array(select destination_id from lane))
      and d.id = any(array(select unnest("kept_ids") from lane)) and (lane."kept_codes"[width_bucket(d.id, lane."kept_ids")] is not null or d.sequence is null)),
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
  select token, backs_off from settled
;

-- The plan:
-- CTE Scan on settled
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
--           ->  CTE Scan on asked
--           ->  Subquery Scan on locked
--                 ->  LockRows
--                       ->  Index Scan using delivery_lanes_pkey on delivery_lanes
--                             Index Cond: (destination_id = asked.destination_id)
--                             Filter: ((batch_id = asked.batch_id) AND (attempt_token = asked.token))
--   CTE settled
--     ->  Update on delivery_lanes l
--           InitPlan 5
--             ->  CTE Scan on lane
--           ->  Nested Loop
--                 Join Filter: (l.destination_id = (lane_1.destination_id)::text)
--                 ->  CTE Scan on lane lane_1
--                 ->  Index Scan using delivery_lanes_pkey on delivery_lanes l
--                       Index Cond: (destination_id = ANY ((InitPlan 5).col1))
--   CTE kept
--     ->  Update on deliveries d
--           InitPlan 7
--             ->  CTE Scan on lane lane_2
--           InitPlan 8
--             ->  ProjectSet
--                   ->  CTE Scan on lane lane_3
--           ->  Nested Loop
--                 Join Filter: (((lane_4.kept_codes[width_bucket(d.id, lane_4.kept_ids)] IS NOT NULL) OR (d.sequence IS NULL)) AND ((lane_4.destination_id)::text = d.destination_id) AND (d.id = ANY (lane_4.kept_ids)))
--                 ->  Index Scan using deliveries_pending on deliveries d
--                       Index Cond: ((destination_id = ANY ((InitPlan 7).col1)) AND (id = ANY ((InitPlan 8).col1)))
--                       Filter: (state = 'pending'::text)
--                 ->  CTE Scan on lane lane_4
--   CTE finished
--     ->  Delete on deliveries d_1
--           InitPlan 10
--             ->  CTE Scan on lane lane_5
--           InitPlan 11
--             ->  ProjectSet
--                   ->  CTE Scan on lane lane_6
--           ->  Nested Loop
--                 Join Filter: (((lane_7.destination_id)::text = d_1.destination_id) AND (d_1.id = ANY (lane_7.ids)))
--                 ->  Index Scan using deliveries_pending on deliveries d_1
--                       Index Cond: ((destination_id = ANY ((InitPlan 10).col1)) AND (id = ANY ((InitPlan 11).col1)))
--                       Filter: (state = 'pending'::text)
--                 ->  CTE Scan on lane lane_7
--   CTE recorded
--     ->  Insert on finished_deliveries
--           ->  CTE Scan on finished
--   CTE attempt
--     ->  Insert on delivery_attempts
--           ->  CTE Scan on lane lane_8
--                 Filter: (attempt IS NOT NULL)
