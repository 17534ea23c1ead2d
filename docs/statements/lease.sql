-- Written by `npx vitest run --project scale test/delivery/statements.scale.test.ts -u`.

with
  asked as materialized (
    select * from unnest((select $1::text[]), (select $2::text[]), (select $3::text[]), (select $4::float8[])) as asked ("destination_id", "batch_id", "token", "failing_wait_ms")
    limit (select $5::int)
  ),
  lane as materialized (
    select asked.destination_id, asked.token, asked.failing_wait_ms, locked.backs_off,
           locked.is_readable and locked.revision = seen.revision as is_read
    from asked
    cross join lateral (
      select revision from delivery_lanes
      where destination_id = asked.destination_id and batch_id = asked.batch_id
      limit 1
    ) seen
    cross join lateral (
      select revision, failures > 0 and asked.failing_wait_ms is not null as backs_off,
             failures = 0 and cardinality(batch_delivery_ids) <= 20 as is_readable
      from delivery_lanes
      where destination_id = asked.destination_id and batch_id = asked.batch_id
        and (resume_at is null or resume_at <= now())
        and (attempt_until is null or attempt_until <= now()) and paused_at is null
        and ("delivery_lanes"."epoch" = (
      select epoch from installation
      where id and server_started_at = pg_postmaster_start_time() and xmin = recorded_by::xid)) is true
      for update skip locked
    ) locked
  ),
  granted as (
    update delivery_lanes l
    set attempt_token = case when not lane.backs_off then lane.token end,
        attempt_until = case when not lane.backs_off then now() + $6::float8 * interval '1 millisecond' end,
        batch_attempts = l.batch_attempts + (not lane.backs_off)::int,
        resume_at = case when lane.backs_off then now() + lane.failing_wait_ms::float8 * interval '1 millisecond' else l.resume_at end
    from lane
    where l.destination_id = lane.destination_id and l.destination_id = any(array(select destination_id from "lane"))
    returning l.*, lane.token, lane.backs_off, lane.is_read
  )
  select l.token, l.backs_off, l.is_read, l.account_id, l.target_kind, r.version,
         l.batch_delivery_ids::text as delivery_ids, l.batch_first_sequence, l.batch_attempts, l.failures,
         l.resume_at::text as resume_at, l.epoch, l.epoch_first_sequence, l.earlier_epochs, l.latest_timestamp_ms,
         l.projected,
    case when l.pauses is not null then (
      select json_agg(json_build_array(1000 * extract(epoch from now() - lower(pause)),
                                       1000 * extract(epoch from now() - upper(pause))))
      from unnest(l.pauses) as pause
    ) end as pauses, d.*
  from granted l
  cross join lateral (select version from resources where id = l.destination_id limit 1) r
  left join lateral (
    select d.id, d.sequence, 1000 * date_part('epoch', now() - coalesce(d.redelivered_at, d.created_at)) as age_ms,
e.id as event_id, e.type, e.resource_id, 1000 * date_part('epoch', e.created_at) as event_created_at_ms, e.payload,
e.trace_parent, d.backfill_id is not null as is_backfill, encode(e.salt, 'hex') as salt
    from deliveries d cross join lateral (select * from events where id = d.event_id limit 1) e
    where l.is_read and d.destination_id = l.destination_id and d.id = any(l.batch_delivery_ids)
      and d.state = 'pending'
    -- The limit keeps the planner from a scan of all pending deliveries, which it prefers while they are few.
    order by d.id limit 20
  ) d on true
  order by d.id
;

-- The plan:
-- Sort
--   Sort Key: d.id
--   CTE asked
--     ->  Limit
--           InitPlan 1
--             ->  Result
--           InitPlan 2
--             ->  Result
--           InitPlan 3
--             ->  Result
--           InitPlan 4
--             ->  Result
--           InitPlan 5
--             ->  Result
--           ->  Function Scan on asked
--   CTE lane
--     ->  Nested Loop
--           ->  Nested Loop
--                 ->  CTE Scan on asked asked_1
--                 ->  Limit
--                       ->  Index Scan using delivery_lanes_pkey on delivery_lanes
--                             Index Cond: (destination_id = asked_1.destination_id)
--                             Filter: (batch_id = asked_1.batch_id)
--           ->  Subquery Scan on locked
--                 ->  LockRows
--                       InitPlan 7
--                         ->  Index Scan using installation_pkey on installation
--                               Index Cond: (id = true)
--                               Filter: ((xmin = (recorded_by)::xid) AND (server_started_at = pg_postmaster_start_time()))
--                       ->  Index Scan using delivery_lanes_pkey on delivery_lanes delivery_lanes_1
--                             Index Cond: (destination_id = asked_1.destination_id)
--                             Filter: ((paused_at IS NULL) AND ((epoch = (InitPlan 7).col1) IS TRUE) AND (batch_id = asked_1.batch_id) AND ((resume_at IS NULL) OR (resume_at <= now())) AND ((attempt_until IS NULL) OR (attempt_until <= now())))
--   CTE granted
--     ->  Update on delivery_lanes l_1
--           InitPlan 9
--             ->  CTE Scan on lane
--           ->  Nested Loop
--                 Join Filter: (l_1.destination_id = (lane_1.destination_id)::text)
--                 ->  CTE Scan on lane lane_1
--                 ->  Index Scan using delivery_lanes_pkey on delivery_lanes l_1
--                       Index Cond: (destination_id = ANY ((InitPlan 9).col1))
--   ->  Nested Loop Left Join
--         ->  Nested Loop
--               ->  CTE Scan on granted l
--               ->  Limit
--                     ->  Index Scan using resources_pkey on resources
--                           Index Cond: (id = l.destination_id)
--         ->  Limit
--               ->  Result
--                     One-Time Filter: l.is_read
--                     ->  Nested Loop
--                           ->  Index Scan using deliveries_pending on deliveries d
--                                 Index Cond: ((destination_id = l.destination_id) AND (id = ANY (l.batch_delivery_ids)))
--                           ->  Limit
--                                 ->  Append
--                                       ->  Index Scan using events_<day>_pkey on events_<day> events
--                                             Index Cond: (id = d.event_id)
--         SubPlan 11
--           ->  Aggregate
--                 ->  Function Scan on unnest pause
