-- Written by `npx vitest run --project scale test/delivery/statements.scale.test.ts -u`.

with fence as materialized (select 1 from event_route_fence where false for share),
  given as materialized (
    select event.*, $1::text as account_id, $2::text as created_at, $3::text as trace_parent
    from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[]) with ordinality
      as event (id, type, resource_id, payload, principal_id, credential_id, operation_id, changed_fields, fan_out_key, publisher_id, hash, position)
  ),
created as (
  insert into published_resources (type_id, resource_id, version, object, deleted_at)
select type_id, resource_id, version, object, case when deleted then date_trunc('milliseconds', statement_timestamp()) end
from unnest($15::text[], $16::text[],
            $17::bigint[], $18::text[],
            $19::boolean[]) as state (type_id, resource_id, version, object, deleted) on conflict do nothing returning 1
),
changed as (
  insert into published_resources (type_id, resource_id, version, object, deleted_at)
select type_id, resource_id, version, object, case when deleted then date_trunc('milliseconds', statement_timestamp()) end
from unnest($20::text[], $21::text[],
            $22::bigint[], $23::text[],
            $24::boolean[]) as state (type_id, resource_id, version, object, deleted)
  on conflict (type_id, resource_id) do update
  set version = excluded.version, object = excluded.object, deleted_at = excluded.deleted_at
),
identified as (
  -- In the order of the ids: two transactions with the same ids do not wait for each other.
  insert into publisher_ids (account_id, publisher_id, event_id, hash)
  select $25::text, publisher_id, id, decode(hash, 'hex') from given where publisher_id is not null
  order by publisher_id collate "C" on conflict do nothing returning 1
),
done as materialized (
  select (select count(*) from created) = $26::bigint
     and (select count(*) from identified) = (select count(publisher_id) from given)
     and not exists (
       select from (select distinct type from given) wanted
       where exists (select from event_rules where account_id = $27 and event_type = wanted.type)
     ) as whole
),
route as materialized (
  select wanted.type, route.destination_id
  from (select distinct type from given) wanted
  cross join lateral (
    select distinct destination_id from event_routes
    where account_id = $28 and event_type = wanted.type and not exists (select from fence)
  ) route
  where (select whole from done)
),
routed as not materialized (
  select given.position, given.id as event_id, given.account_id, given.fan_out_key, route.destination_id
  from given join route using (type)
),
  event as (
    insert into events (id, account_id, type, resource_id, payload, created_at, trace_parent,
                        principal_id, credential_id, operation_id, changed_fields)
    select id, account_id, type, resource_id, payload, created_at::timestamptz, trace_parent,
           principal_id, credential_id, operation_id, changed_fields::text[]
    from given order by position
  ),
  fan_out as materialized (
    select (select count(*) from routed) > $29::bigint or exists (select from fan_out_parts where resource_id in (select fan_out_key from given)) as waits
  ),
  waiting as (
    insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
    select event_id, account_id, fan_out_key, array_agg(destination_id), date_trunc('milliseconds', statement_timestamp())
    from (
      select event_id, account_id, fan_out_key, destination_id, position,
             (row_number() over (partition by position) - 1) / $30::bigint as part
      from routed where (select waits from fan_out)
    ) numbered
    group by position, event_id, account_id, fan_out_key, part order by position, part
  ),
  delivery as (
    insert into deliveries (event_id, destination_id, account_id, created_at, backfill_id)
    select event_id, destination_id, account_id, date_trunc('milliseconds', statement_timestamp()), null from routed where not (select waits from fan_out) order by position
    returning id, event_id, destination_id
  )
select (select whole from done) as whole, array(select distinct destination_id from delivery) as destination_ids
;

-- The plan:
-- Result
--   CTE fence
--     ->  LockRows
--           ->  Result
--                 One-Time Filter: false
--   CTE given
--     ->  Function Scan on event
--   CTE created
--     ->  Insert on published_resources
--           Conflict Resolution: NOTHING
--           ->  Function Scan on state
--   CTE changed
--     ->  Insert on published_resources published_resources_1
--           Conflict Resolution: UPDATE
--           Conflict Arbiter Indexes: published_resources_pkey
--           ->  Function Scan on state_1
--   CTE identified
--     ->  Insert on publisher_ids
--           Conflict Resolution: NOTHING
--           ->  Subquery Scan on "*SELECT*"
--                 ->  Sort
--                       Sort Key: given.publisher_id COLLATE "C"
--                       ->  CTE Scan on given
--                             Filter: (publisher_id IS NOT NULL)
--   CTE done
--     ->  Result
--           InitPlan 6
--             ->  Aggregate
--                   ->  CTE Scan on created
--           InitPlan 7
--             ->  Aggregate
--                   ->  CTE Scan on identified
--           InitPlan 8
--             ->  Aggregate
--                   ->  CTE Scan on given given_1
--           InitPlan 9
--             ->  Hash Semi Join
--                   Hash Cond: ((given_2.type)::text = event_rules.event_type)
--                   ->  HashAggregate
--                         Group Key: given_2.type
--                         ->  CTE Scan on given given_2
--                   ->  Hash
--                         ->  Index Only Scan using event_rules_pkey on event_rules
--                               Index Cond: (account_id = $27)
--   CTE route
--     ->  Result
--           One-Time Filter: (InitPlan 11).col1
--           InitPlan 11
--             ->  CTE Scan on done
--           ->  Nested Loop
--                 ->  HashAggregate
--                       Group Key: given_3.type
--                       ->  CTE Scan on given given_3
--                 ->  Unique
--                       InitPlan 12
--                         ->  CTE Scan on fence
--                       ->  Result
--                             One-Time Filter: (NOT (InitPlan 12).col1)
--                             ->  Index Only Scan using event_routes_pkey on event_routes
--                                   Index Cond: ((account_id = $28) AND (event_type = given_3.type))
--   CTE event
--     ->  Insert on events
--           ->  Subquery Scan on "*SELECT*_1"
--                 ->  Sort
--                       Sort Key: given_4."position"
--                       ->  CTE Scan on given given_4
--   CTE fan_out
--     ->  Result
--           InitPlan 15
--             ->  Aggregate
--                   ->  Hash Join
--                         Hash Cond: (given_5.type = route.type)
--                         ->  CTE Scan on given given_5
--                         ->  Hash
--                               ->  CTE Scan on route
--           InitPlan 16
--             ->  Nested Loop Semi Join
--                   Join Filter: (fan_out_parts.resource_id = (given_6.fan_out_key)::text)
--                   ->  Index Only Scan using fan_out_parts_by_resource on fan_out_parts
--                   ->  CTE Scan on given given_6
--   CTE waiting
--     ->  Insert on fan_out_parts fan_out_parts_1
--           ->  Subquery Scan on "*SELECT*_2"
--                 ->  Sort
--                       Sort Key: given_7."position", (((row_number() OVER w1 - 1) / $30))
--                       ->  HashAggregate
--                             Group Key: given_7."position", ((row_number() OVER w1 - 1) / $30), given_7.id, given_7.account_id, given_7.fan_out_key
--                             ->  WindowAgg
--                                   Window: w1 AS (PARTITION BY given_7."position" ROWS UNBOUNDED PRECEDING)
--                                   InitPlan 18
--                                     ->  CTE Scan on fan_out
--                                   ->  Sort
--                                         Sort Key: given_7."position"
--                                         ->  Result
--                                               One-Time Filter: (InitPlan 18).col1
--                                               ->  Hash Join
--                                                     Hash Cond: (given_7.type = route_1.type)
--                                                     ->  CTE Scan on given given_7
--                                                     ->  Hash
--                                                           ->  CTE Scan on route route_1
--   CTE delivery
--     ->  Insert on deliveries
--           ->  Subquery Scan on "*SELECT*_3"
--                 ->  Sort
--                       Sort Key: given_8."position"
--                       InitPlan 20
--                         ->  CTE Scan on fan_out fan_out_1
--                       ->  Result
--                             One-Time Filter: (NOT (InitPlan 20).col1)
--                             ->  Hash Join
--                                   Hash Cond: (given_8.type = route_2.type)
--                                   ->  CTE Scan on given given_8
--                                   ->  Hash
--                                         ->  CTE Scan on route route_2
--   InitPlan 22
--     ->  CTE Scan on done done_1
--   InitPlan 23
--     ->  HashAggregate
--           Group Key: delivery.destination_id
--           ->  CTE Scan on delivery
