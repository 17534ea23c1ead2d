-- Written by `npx vitest run --project scale test/delivery/statements.scale.test.ts -u`.

with fence as materialized (select 1 from event_route_fence where false for share),
  simple as materialized (
    select not exists (select from wide_accounts where account_id = $1)
       and not exists (select from event_snapshots
                       where account_id = $1 and kind = $2 and finished_at is null)
       and not exists (select from event_rules where account_id = $1 and event_type = $3) as yes
  ),
  "change_0" as (
update resource_allowances set free = free - 1
where account_id = $1 and kind = $2 and row_number = pg_backend_pid() % 32
  and quota = $4 and free > 0 and (select yes from simple)
returning account_id), "change_1" as (
insert into resources (id, account_id, kind, attributes, version, created_at, updated_at)
select $5::text, (select account_id from "change_0"), $2::text, $6::jsonb, $7::int,
       $8::timestamptz, $9::timestamptz
where (select yes from simple)),
  event as (
    insert into events (id, account_id, type, resource_id, payload, created_at, trace_parent,
principal_id, credential_id, operation_id, changed_fields) select $10::text, $1::text, $3::text, $5::text, $11::text,
$12::timestamptz, $13::text, $14::text, $15::text,
$16::text, $17::text[]
    where (select yes from simple)
  ),
  delivery as (
    insert into deliveries (event_id, destination_id, account_id, created_at)
    select distinct $10::text, destination_id, account_id, date_trunc('milliseconds', statement_timestamp())
    from event_routes
    where account_id = $1 and event_type = $3 and (select yes from simple) and not exists (select from fence)
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
--                   Index Cond: ((account_id = $1) AND (kind = $2))
--           InitPlan 4
--             ->  Index Only Scan using event_rules_pkey on event_rules
--                   Index Cond: ((account_id = $1) AND (event_type = $3))
--   CTE change_0
--     ->  Update on resource_allowances
--           InitPlan 6
--             ->  CTE Scan on simple
--           ->  Result
--                 One-Time Filter: (InitPlan 6).col1
--                 ->  Index Scan using resource_allowances_pkey on resource_allowances
--                       Index Cond: ((account_id = $1) AND (kind = $2) AND (row_number = (pg_backend_pid() % 32)))
--                       Filter: ((free > 0) AND (quota = $4))
--   CTE change_1
--     ->  Insert on resources
--           InitPlan 8
--             ->  CTE Scan on change_0
--           InitPlan 9
--             ->  CTE Scan on simple simple_1
--           ->  Result
--                 One-Time Filter: (InitPlan 9).col1
--   CTE event
--     ->  Insert on events
--           InitPlan 11
--             ->  CTE Scan on simple simple_2
--           ->  Result
--                 One-Time Filter: (InitPlan 11).col1
--   CTE delivery
--     ->  Insert on deliveries
--           ->  Subquery Scan on "*SELECT*"
--                 ->  Unique
--                       InitPlan 13
--                         ->  CTE Scan on simple simple_3
--                       InitPlan 14
--                         ->  CTE Scan on fence
--                       ->  Result
--                             One-Time Filter: ((InitPlan 13).col1 AND (NOT (InitPlan 14).col1))
--                             ->  Index Only Scan using event_routes_pkey on event_routes
--                                   Index Cond: ((account_id = $1) AND (event_type = $3))
--   ->  CTE Scan on delivery
--   ->  Result
--         One-Time Filter: (NOT (InitPlan 16).col1)
--         InitPlan 16
--           ->  CTE Scan on simple simple_4
