-- Written by `npx vitest run --project scale test/delivery/statements.scale.test.ts -u`.

with fence as materialized (select 1 from event_route_fence where false for share),
  given as materialized (
    select event.*, $1::text as account_id, $2::timestamptz as created_at
    from json_to_recordset($3::json) as event (
      position int, id text, type text, resource_id text, payload text, salted_commitment text, principal_id text, credential_id text,
      operation_id text, changed_fields text[], trace_parent text, fan_out_key text, publisher_id text, hash text,
      refusing text[])
  ),
  created as (
    insert into published_resources (type_id, resource_id, version, object, deleted_at)
  select type_id, resource_id, version, object, case when deleted then date_trunc('milliseconds', statement_timestamp()) end
  from json_to_recordset($4::json)
    as state (type_id text, resource_id text, version bigint, object text, deleted boolean) on conflict do nothing returning 1
  ),
  changed as (
    insert into published_resources (type_id, resource_id, version, object, deleted_at)
  select type_id, resource_id, version, object, case when deleted then date_trunc('milliseconds', statement_timestamp()) end
  from json_to_recordset($5::json)
    as state (type_id text, resource_id text, version bigint, object text, deleted boolean)
    on conflict (type_id, resource_id) do update
    set version = excluded.version, object = excluded.object, deleted_at = excluded.deleted_at
  ),
  identified as (
    -- In the order of the ids: two transactions with the same ids do not wait for each other.
    insert into publisher_ids (account_id, publisher_id, event_id, hash)
    select account_id, publisher_id, id, decode(hash, 'hex') from given where publisher_id is not null
    order by publisher_id collate "C" on conflict do nothing returning 1
  ),
  asked as materialized (
    select distinct type from given
  ),
  done as materialized (
    select (select count(*) from created) = $6::bigint
       and (select count(*) from identified) = (select count(publisher_id) from given)
       and not exists (
         select from asked cross join lateral (
           select from event_rules where account_id = $1 and event_type = asked.type limit 1
         ) rule
       ) as whole
  ),
  route as materialized (
    select asked.type, route.destination_id
    from asked
    cross join lateral (
      select distinct destination_id from event_routes
      where account_id = $1 and event_type = asked.type and not exists (select from fence)
    ) route
    where (select whole from done)
  ),
  routed as not materialized (
    select given.position, given.id as event_id, given.account_id, given.fan_out_key, route.destination_id
    from given join route using (type)
  ),
    event as (
      insert into events (id, account_id, type, resource_id, payload, created_at, trace_parent,
                          principal_id, credential_id, operation_id, changed_fields, salt, commitment)
      select id, account_id, type, resource_id, payload, created_at::timestamptz, trace_parent,
             principal_id, credential_id, operation_id, changed_fields::text[],
             decode(left("salted_commitment", 32), 'hex'), decode(substr("salted_commitment", 33), 'hex')
      from given order by position
    ),
    fan_out as materialized (
      select (select count(*) from routed) > $7::bigint or exists (
        select from (select distinct fan_out_key from given) as behind (key)
        cross join lateral (select from fan_out_parts where resource_id = behind.key limit 1) part
      ) as waits
    ),
    waiting as (
      insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
      select event_id, account_id, fan_out_key, array_agg(destination_id), date_trunc('milliseconds', statement_timestamp())
      from (
        select event_id, account_id, fan_out_key, destination_id, position,
               (row_number() over (partition by position) - 1) / $8::bigint as part
        from routed where (select waits from fan_out)
      ) numbered
      group by position, event_id, account_id, fan_out_key, part order by position, part
    ),
    delivery as (
      insert into deliveries (event_id, destination_id, account_id, created_at, backfill_id)
      select event_id, destination_id, account_id, date_trunc('milliseconds', statement_timestamp()), null from routed where not (select waits from fan_out) order by position
      returning id, event_id, destination_id
    )
  select (select whole from done) as whole, array(select distinct destination_id from delivery) as destination_ids,
         (select count(distinct destination_id) from route)::int as destinations
;

-- The plan:
-- Result
--   CTE fence
--     ->  LockRows
--           ->  Result
--                 One-Time Filter: false
--   CTE given
--     ->  Function Scan on json_to_recordset event
--   CTE created
--     ->  Insert on published_resources
--           Conflict Resolution: NOTHING
--           ->  Function Scan on json_to_recordset state
--   CTE changed
--     ->  Insert on published_resources published_resources_1
--           Conflict Resolution: UPDATE
--           Conflict Arbiter Indexes: published_resources_pkey
--           ->  Function Scan on json_to_recordset state_1
--   CTE identified
--     ->  Insert on publisher_ids
--           Conflict Resolution: NOTHING
--           ->  Subquery Scan on "*SELECT*"
--                 ->  Sort
--                       Sort Key: given.publisher_id COLLATE "C"
--                       ->  CTE Scan on given
--                             Filter: (publisher_id IS NOT NULL)
--   CTE asked
--     ->  HashAggregate
--           Group Key: given_1.type
--           ->  CTE Scan on given given_1
--   CTE done
--     ->  Result
--           InitPlan 7
--             ->  Aggregate
--                   ->  CTE Scan on created
--           InitPlan 8
--             ->  Aggregate
--                   ->  CTE Scan on identified
--           InitPlan 9
--             ->  Aggregate
--                   ->  CTE Scan on given given_2
--           InitPlan 10
--             ->  Nested Loop
--                   ->  CTE Scan on asked
--                   ->  Limit
--                         ->  Index Only Scan using event_rules_pkey on event_rules
--                               Index Cond: ((account_id = $1) AND (event_type = asked.type))
--   CTE route
--     ->  Result
--           One-Time Filter: (InitPlan 12).col1
--           InitPlan 12
--             ->  CTE Scan on done
--           ->  Nested Loop
--                 ->  CTE Scan on asked asked_1
--                 ->  Unique
--                       InitPlan 13
--                         ->  CTE Scan on fence
--                       ->  Result
--                             One-Time Filter: (NOT (InitPlan 13).col1)
--                             ->  Index Only Scan using event_routes_pkey on event_routes
--                                   Index Cond: ((account_id = $1) AND (event_type = asked_1.type))
--   CTE event
--     ->  Insert on events
--           ->  Subquery Scan on "*SELECT*_1"
--                 ->  Sort
--                       Sort Key: given_3."position"
--                       ->  CTE Scan on given given_3
--   CTE fan_out
--     ->  Result
--           InitPlan 16
--             ->  Aggregate
--                   ->  Hash Join
--                         Hash Cond: (given_4.type = route.type)
--                         ->  CTE Scan on given given_4
--                         ->  Hash
--                               ->  CTE Scan on route
--           InitPlan 17
--             ->  Nested Loop
--                   ->  HashAggregate
--                         Group Key: given_5.fan_out_key
--                         ->  CTE Scan on given given_5
--                   ->  Limit
--                         ->  Index Only Scan using fan_out_parts_by_resource on fan_out_parts
--                               Index Cond: (resource_id = given_5.fan_out_key)
--   CTE waiting
--     ->  Insert on fan_out_parts fan_out_parts_1
--           ->  Subquery Scan on "*SELECT*_2"
--                 ->  Sort
--                       Sort Key: given_6."position", (((row_number() OVER w1 - 1) / $8))
--                       ->  HashAggregate
--                             Group Key: given_6."position", ((row_number() OVER w1 - 1) / $8), given_6.id, given_6.account_id, given_6.fan_out_key
--                             ->  WindowAgg
--                                   Window: w1 AS (PARTITION BY given_6."position" ROWS UNBOUNDED PRECEDING)
--                                   InitPlan 19
--                                     ->  CTE Scan on fan_out
--                                   ->  Sort
--                                         Sort Key: given_6."position"
--                                         ->  Result
--                                               One-Time Filter: (InitPlan 19).col1
--                                               ->  Hash Join
--                                                     Hash Cond: (given_6.type = route_1.type)
--                                                     ->  CTE Scan on given given_6
--                                                     ->  Hash
--                                                           ->  CTE Scan on route route_1
--   CTE delivery
--     ->  Insert on deliveries
--           ->  Subquery Scan on "*SELECT*_3"
--                 ->  Sort
--                       Sort Key: given_7."position"
--                       InitPlan 21
--                         ->  CTE Scan on fan_out fan_out_1
--                       ->  Result
--                             One-Time Filter: (NOT (InitPlan 21).col1)
--                             ->  Hash Join
--                                   Hash Cond: (given_7.type = route_2.type)
--                                   ->  CTE Scan on given given_7
--                                   ->  Hash
--                                         ->  CTE Scan on route route_2
--   InitPlan 23
--     ->  CTE Scan on done done_1
--   InitPlan 24
--     ->  HashAggregate
--           Group Key: delivery.destination_id
--           ->  CTE Scan on delivery
--   InitPlan 25
--     ->  Aggregate
--           ->  Sort
--                 Sort Key: route_3.destination_id COLLATE "C"
--                 ->  CTE Scan on route route_3
