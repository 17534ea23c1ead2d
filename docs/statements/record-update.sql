-- Written by `npx vitest run --project scale test/delivery/statements.scale.test.ts -u`.

with fence as materialized (select 1 from event_route_fence where false for share),
  subscribed as materialized (
    select array(
      select distinct destination_id from event_routes
      where account_id = $1 and event_type = $2 and not exists (select from fence)
      order by destination_id limit 2001
    ) as ids
  ),
  simple as materialized (
    select cardinality((select ids from subscribed)) <= $3::int
       and not exists (select from fan_out_parts where resource_id in ($4))
       and not exists (select from event_snapshots
                       where account_id = $5 and kind = $6 and finished_at is null)
       and not exists (select from event_rules where account_id = $7 and event_type = $8) as yes
  ),
  "change_0" as (
update resources set attributes = $9, version = $10, updated_at = $11
where id = $12),
  given as (
    select 1 as position, $13::text as id, $14::text as account_id, $15::text as type,
           $16::text as resource_id, $17::text as payload,
           $18::text as salted_commitment, $19::timestamptz as created_at,
           $20::text as trace_parent, $21::text as principal_id,
           $22::text as credential_id, $23::text as operation_id,
           $24::text[] as changed_fields
    where (select yes from simple)
  ),
  routed as (
    select 1 as position, $25::text as event_id, $26::text as account_id, destination_id
    from subscribed cross join unnest(ids) as destination_id where (select yes from simple)
  ),
  event as (
    insert into events (id, account_id, type, resource_id, payload, created_at, trace_parent,
                        principal_id, credential_id, operation_id, changed_fields, salt, commitment)
    select id, account_id, type, resource_id, payload, created_at::timestamptz, trace_parent,
           principal_id, credential_id, operation_id, changed_fields::text[],
           decode(left("salted_commitment", 32), 'hex'), decode(substr("salted_commitment", 33), 'hex')
    from given order by position
  ),
  delivery as (
    insert into deliveries (event_id, destination_id, account_id, created_at, backfill_id)
    select event_id, destination_id, account_id, date_trunc('milliseconds', statement_timestamp()), null from routed  order by position
    returning id, event_id, destination_id
  )
  select destination_id from delivery
  union all select null where not (select yes from simple)
;

-- The plan:
-- Append
--   CTE fence
--     ->  LockRows
--           ->  Result
--                 One-Time Filter: false
--   CTE subscribed
--     ->  Result
--           InitPlan 3
--             ->  Limit
--                   InitPlan 2
--                     ->  CTE Scan on fence
--                   ->  Unique
--                         ->  Result
--                               One-Time Filter: (NOT (InitPlan 2).col1)
--                               ->  Index Only Scan using event_routes_pkey on event_routes
--                                     Index Cond: ((account_id = $1) AND (event_type = $2))
--   CTE simple
--     ->  Result
--           InitPlan 5
--             ->  CTE Scan on subscribed
--           InitPlan 6
--             ->  Index Only Scan using fan_out_parts_by_resource on fan_out_parts
--                   Index Cond: (resource_id = $4)
--           InitPlan 7
--             ->  Index Only Scan using event_snapshots_running on event_snapshots
--                   Index Cond: ((account_id = $5) AND (kind = $6))
--           InitPlan 8
--             ->  Index Only Scan using event_rules_pkey on event_rules
--                   Index Cond: ((account_id = $7) AND (event_type = $8))
--   CTE change_0
--     ->  Update on resources
--           ->  Index Scan using resources_pkey on resources
--                 Index Cond: (id = $12)
--   CTE event
--     ->  Insert on events
--           ->  Subquery Scan on "*SELECT*"
--                 ->  Result
--                       One-Time Filter: (InitPlan 11).col1
--                       InitPlan 11
--                         ->  CTE Scan on simple
--   CTE delivery
--     ->  Insert on deliveries
--           ->  Subquery Scan on "*SELECT*_1"
--                 ->  Result
--                       One-Time Filter: (InitPlan 13).col1
--                       InitPlan 13
--                         ->  CTE Scan on simple simple_1
--                       ->  Nested Loop
--                             ->  CTE Scan on subscribed subscribed_1
--                             ->  Function Scan on unnest destination_id
--   ->  CTE Scan on delivery
--   ->  Result
--         One-Time Filter: (NOT (InitPlan 15).col1)
--         InitPlan 15
--           ->  CTE Scan on simple simple_2
