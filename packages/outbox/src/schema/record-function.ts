import { publishingLimits as limits } from '../generated/publishing-limits.js';

/** The SQL function that records events. */
export const RECORD_FUNCTION = `
-- Returns a session setting as JSON: waybill.principal or waybill.request. Null if it is not set.
create or replace function waybill_outbox.context_setting(name text) returns jsonb
language plpgsql stable as $waybill$
declare
  value text := nullif(current_setting(name, true), '');
begin
  return value::jsonb;
exception when invalid_text_representation or untranslatable_character then
  raise exception using
    errcode = 'invalid_parameter_value',
    message = format('The setting %s is not JSON.', name),
    hint = format('Use select set_config(''%s'', ''{"id": "..."}'', true).', name);
end
$waybill$;

-- Completes an event: who, from where and when. Cuts what the clients of the API choose: a long header must not
-- fail a change.
create or replace function waybill_outbox.completed_event(event jsonb) returns jsonb
language plpgsql volatile as $waybill$
declare
  longest constant jsonb := '{"id": ${limits.longestId}, "ip": ${limits.longestAddress}, "user_agent": 256}';
  context jsonb;
  name text;
begin
  if jsonb_typeof(event) is distinct from 'object' then
    return event;
  end if;
  if not event ? 'principal' then
    context := waybill_outbox.context_setting('waybill.principal');
    if context is not null then
      event := event || jsonb_build_object('principal', context);
    end if;
  end if;
  if not event ? 'request' then
    context := waybill_outbox.context_setting('waybill.request');
    if context is not null then
      event := event || jsonb_build_object('request', context);
    end if;
  end if;
  -- Ids of rows may be numbers.
  if jsonb_typeof(event #> '{principal,id}') = 'number' then
    event := jsonb_set(event, '{principal,id}', to_jsonb(event #>> '{principal,id}'));
  end if;
  if length(event #>> '{principal,subject}') > ${limits.longestId} then
    event := jsonb_set(event, '{principal,subject}', to_jsonb(left(event #>> '{principal,subject}', ${limits.longestId})));
  end if;
  for name in select jsonb_object_keys(longest) where jsonb_typeof(event -> 'request') = 'object' loop
    if jsonb_typeof(event -> 'request' -> name) = 'string'
        and length(event -> 'request' ->> name) > (longest -> name)::integer then
      event := jsonb_set(event, array['request', name],
        to_jsonb(left(event -> 'request' ->> name, (longest -> name)::integer)));
    end if;
  end loop;
  if coalesce(jsonb_typeof(event -> 'occurred_at'), 'null') = 'null' then
    event := event || jsonb_build_object('occurred_at',
      to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'));
  end if;
  return event;
end
$waybill$;

-- Records an event, or a list of them, in the current transaction, and returns their ids in order.
create or replace function waybill_outbox.waybill_record(events jsonb) returns uuid[]
language plpgsql volatile set search_path = pg_catalog, pg_temp as $waybill$
declare
  given constant jsonb[] := case jsonb_typeof(events)
    when 'array' then array(select value from jsonb_array_elements(events) with ordinality order by ordinality)
    else array[events]
  end;
  completed jsonb[] := '{}';
  ids uuid[] := '{}';
  event jsonb;
  error text;
begin
  foreach event in array given loop
    event := waybill_outbox.completed_event(event);
    error := waybill_outbox.event_error(event);
    if error is not null then
      raise exception using
        errcode = 'invalid_parameter_value',
        message = format('Event %s was not recorded: %s.', cardinality(completed), error);
    end if;
    completed := completed || event;
    ids := ids || gen_random_uuid();
  end loop;
  if cardinality(ids) = 0 then
    return ids;
  end if;

  insert into waybill_outbox.events (event_id, event)
  select id, body from unnest(ids, completed) with ordinality as listed (id, body, number) order by number;

  -- Delivered at the commit. Commits with a notification wait for each other, and a prepared transaction can have none.
  if current_setting('waybill.notify', true) is distinct from 'off' then
    perform pg_notify('waybill_outbox', '');
  end if;
  return ids;
end
$waybill$;
`;
