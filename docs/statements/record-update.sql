-- Written by `npx vitest run --project scale test/delivery/statements.scale.test.ts -u`.

with fence as materialized (select 1 from event_route_fence where false for share),
  simple as materialized (
    select not exists (select from wide_accounts where account_id = $1)
       and not exists (select from event_snapshots
                       where account_id = $2 and kind = $3 and finished_at is null)
       and not exists (select from event_rules where account_id = $4 and event_type = $5) as yes
  ),
  "change_0" as (
update resources set attributes = $6, version = $7, updated_at = $8
where id = $9),
  event as (
    insert into events (id, account_id, type, resource_id, payload, created_at, trace_parent,
principal_id, credential_id, operation_id, changed_fields) select $10::text, $11::text, $12::text, $13::text, $14::text,
$15::timestamptz, $16::text, $17::text, $18::text,
$19::text, $20::text[]
    where true
  ),
  delivery as (
    insert into deliveries (event_id, destination_id, account_id, created_at)
    select distinct $21::text, destination_id, account_id, date_trunc('milliseconds', statement_timestamp())
    from event_routes
    where account_id = $22 and event_type = $23 and (select yes from simple) and not exists (select from fence)
    returning destination_id
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
--   CTE simple
--     ->  Result
--           InitPlan 2
--             ->  Index Only Scan using wide_accounts_pkey on wide_accounts
--                   Index Cond: (account_id = $1)
--           InitPlan 3
--             ->  Index Only Scan using event_snapshots_running on event_snapshots
--                   Index Cond: ((account_id = $2) AND (kind = $3))
--           InitPlan 4
--             ->  Index Only Scan using event_rules_pkey on event_rules
--                   Index Cond: ((account_id = $4) AND (event_type = $5))
--   CTE change_0
--     ->  Update on resources
--           ->  Index Scan using resources_pkey on resources
--                 Index Cond: (id = $9)
--   CTE event
--     ->  Insert on events
--           ->  Result
--   CTE delivery
--     ->  Insert on deliveries
--           ->  Subquery Scan on "*SELECT*"
--                 ->  Unique
--                       InitPlan 8
--                         ->  CTE Scan on simple
--                       InitPlan 9
--                         ->  CTE Scan on fence
--                       ->  Result
--                             One-Time Filter: ((InitPlan 8).col1 AND (NOT (InitPlan 9).col1))
--                             ->  Index Only Scan using event_routes_pkey on event_routes
--                                   Index Cond: ((account_id = $22) AND (event_type = $23))
--   ->  CTE Scan on delivery
--   ->  Result
--         One-Time Filter: (NOT (InitPlan 11).col1)
--         InitPlan 11
--           ->  CTE Scan on simple simple_1
