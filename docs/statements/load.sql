-- Written by `npx vitest run --project scale test/delivery/statements.scale.test.ts -u`.

select d.id, d.sequence, 1000 * date_part('epoch', now() - coalesce(d.redelivered_at, d.created_at)) as age_ms,
  e.id as event_id, e.type, e.resource_id, 1000 * date_part('epoch', e.created_at) as event_created_at_ms, e.payload,
  e.trace_parent, d.backfill_id is not null as is_backfill, encode(e.salt, 'hex') as salt
      from deliveries d cross join lateral (select * from events where id = d.event_id limit 1) e
      where d.destination_id = $1 and d.id = any($2::bigint[]) and d.state = 'pending'
      order by d.id
;

-- The plan:
-- Nested Loop
--   ->  Index Scan using deliveries_pending on deliveries d
--         Index Cond: ((destination_id = $1) AND (id = ANY ($2)))
--   ->  Limit
--         ->  Append
--               ->  Index Scan using events_<day>_pkey on events_<day> events
--                     Index Cond: (id = d.event_id)
