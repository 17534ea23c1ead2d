-- Written by `npx vitest run --project scale test/delivery/statements.scale.test.ts -u`.

with fence as materialized (select 1 from event_route_fence where false for share),
  given as materialized (
    select * from unnest($1::text[], $2::text[],
                         $3::text[],
                         $4::text[], $5::text[],
                         $6::text[],
                         $7::text[],
                         $8::text[],
                         $9::text[],
                         $10::text[],
                         $11::text[])
      with ordinality as event (id, type, resource_id, fan_out_key, payload, publisher_id, hash, principal_id,
                                credential_id, operation_id, changed_fields, position)
  ),
  created as (
    insert into published_resources (type_id, resource_id, version, object, deleted_at)
  select type_id, resource_id, version, object, case when deleted then date_trunc('milliseconds', statement_timestamp()) end
  from unnest($12::text[], $13::text[],
              $14::bigint[], $15::text[],
              $16::boolean[]) as state (type_id, resource_id, version, object, deleted) on conflict do nothing returning 1
  ),
  changed as (
    insert into published_resources (type_id, resource_id, version, object, deleted_at)
  select type_id, resource_id, version, object, case when deleted then date_trunc('milliseconds', statement_timestamp()) end
  from unnest($17::text[], $18::text[],
              $19::bigint[], $20::text[],
              $21::boolean[]) as state (type_id, resource_id, version, object, deleted)
    on conflict (type_id, resource_id) do update
    set version = excluded.version, object = excluded.object, deleted_at = excluded.deleted_at
  ),
  identified as (
    -- In the order of the ids: two transactions with the same ids do not wait for each other.
    insert into publisher_ids (account_id, publisher_id, event_id, hash)
    select $22::text, publisher_id, id, decode(hash, 'hex') from given where publisher_id is not null
    order by publisher_id collate "C" on conflict do nothing returning 1
  ),
  event as (
    insert into events (id, account_id, type, resource_id, payload, created_at, trace_parent,
principal_id, credential_id, operation_id, changed_fields)
    select id, $23::text, type, resource_id, payload, $24::timestamptz, $25::text,
           principal_id, credential_id, operation_id,
           case when changed_fields is not null then array(select json_array_elements_text(changed_fields::json)) end
    from given order by position
  ),
  done as materialized (
    select (select count(*) from created) = $26::bigint
       and (select count(*) from identified) = (select count(publisher_id) from given)
       and not exists (
         select from (select distinct type from given) wanted
         where exists (select from event_rules where account_id = $27 and event_type = wanted.type)
       ) as whole
  ),
  routed as materialized (
    select wanted.type, route.destination_id
    from (select distinct type from given) wanted
    cross join lateral (
      select distinct destination_id from event_routes
      where account_id = $28 and event_type = wanted.type and not exists (select from fence)
    ) route
    where (select whole from done)
  ),
  fan_out as materialized (
    select (select count(*) from given join routed using (type)) > $29::bigint
        or exists (select from fan_out_parts where resource_id in (select fan_out_key from given)) as waits
  ),
  waiting as (
    insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
    select id, $30::text, fan_out_key, array_agg(destination_id), date_trunc('milliseconds', statement_timestamp())
    from (
      select given.id, given.fan_out_key, given.position, destination_id,
             (row_number() over (partition by given.position) - 1) / $31::bigint as part
      from given join routed using (type) where (select waits from fan_out)
    ) numbered
    group by position, id, fan_out_key, part order by position, part
  ),
  delivery as (
    insert into deliveries (event_id, destination_id, account_id, created_at)
    select given.id, destination_id, $32::text, date_trunc('milliseconds', statement_timestamp())
    from given join routed using (type) where not (select waits from fan_out)
    order by given.position
    returning destination_id
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
--   CTE event
--     ->  Insert on events
--           ->  Subquery Scan on "*SELECT*_1"
--                 ->  Sort
--                       Sort Key: given_1."position"
--                       ->  CTE Scan on given given_1
--                             SubPlan 6
--                               ->  ProjectSet
--                                     ->  Result
--   CTE done
--     ->  Result
--           InitPlan 8
--             ->  Aggregate
--                   ->  CTE Scan on created
--           InitPlan 9
--             ->  Aggregate
--                   ->  CTE Scan on identified
--           InitPlan 10
--             ->  Aggregate
--                   ->  CTE Scan on given given_2
--           InitPlan 11
--             ->  Hash Semi Join
--                   Hash Cond: ((given_3.type)::text = event_rules.event_type)
--                   ->  HashAggregate
--                         Group Key: given_3.type
--                         ->  CTE Scan on given given_3
--                   ->  Hash
--                         ->  Index Only Scan using event_rules_pkey on event_rules
--                               Index Cond: (account_id = $27)
--   CTE routed
--     ->  Result
--           One-Time Filter: (InitPlan 13).col1
--           InitPlan 13
--             ->  CTE Scan on done
--           ->  Nested Loop
--                 ->  HashAggregate
--                       Group Key: given_4.type
--                       ->  CTE Scan on given given_4
--                 ->  Unique
--                       InitPlan 14
--                         ->  CTE Scan on fence
--                       ->  Result
--                             One-Time Filter: (NOT (InitPlan 14).col1)
--                             ->  Index Only Scan using event_routes_pkey on event_routes
--                                   Index Cond: ((account_id = $28) AND (event_type = given_4.type))
--   CTE fan_out
--     ->  Result
--           InitPlan 16
--             ->  Aggregate
--                   ->  Hash Join
--                         Hash Cond: (given_5.type = routed.type)
--                         ->  CTE Scan on given given_5
--                         ->  Hash
--                               ->  CTE Scan on routed
--           InitPlan 17
--             ->  Nested Loop Semi Join
--                   Join Filter: (fan_out_parts.resource_id = (given_6.fan_out_key)::text)
--                   ->  Index Only Scan using fan_out_parts_by_resource on fan_out_parts
--                   ->  CTE Scan on given given_6
--   CTE waiting
--     ->  Insert on fan_out_parts fan_out_parts_1
--           ->  Subquery Scan on "*SELECT*_2"
--                 ->  Sort
--                       Sort Key: given_7."position", (((row_number() OVER w1 - 1) / $31))
--                       ->  HashAggregate
--                             Group Key: given_7."position", ((row_number() OVER w1 - 1) / $31), given_7.id, given_7.fan_out_key
--                             ->  WindowAgg
--                                   Window: w1 AS (PARTITION BY given_7."position" ROWS UNBOUNDED PRECEDING)
--                                   InitPlan 19
--                                     ->  CTE Scan on fan_out
--                                   ->  Sort
--                                         Sort Key: given_7."position"
--                                         ->  Result
--                                               One-Time Filter: (InitPlan 19).col1
--                                               ->  Hash Join
--                                                     Hash Cond: (given_7.type = routed_1.type)
--                                                     ->  CTE Scan on given given_7
--                                                     ->  Hash
--                                                           ->  CTE Scan on routed routed_1
--   CTE delivery
--     ->  Insert on deliveries
--           ->  Subquery Scan on "*SELECT*_3"
--                 ->  Sort
--                       Sort Key: given_8."position"
--                       InitPlan 21
--                         ->  CTE Scan on fan_out fan_out_1
--                       ->  Result
--                             One-Time Filter: (NOT (InitPlan 21).col1)
--                             ->  Hash Join
--                                   Hash Cond: (given_8.type = routed_2.type)
--                                   ->  CTE Scan on given given_8
--                                   ->  Hash
--                                         ->  CTE Scan on routed routed_2
--   InitPlan 23
--     ->  CTE Scan on done done_1
--   InitPlan 24
--     ->  HashAggregate
--           Group Key: delivery.destination_id
--           ->  CTE Scan on delivery
