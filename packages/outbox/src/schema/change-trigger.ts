import { publishingLimits as limits } from '../generated/publishing-limits.js';

/** The functions of the triggers that `triggerSql` creates. */
export const CHANGE_TRIGGER = `
-- Returns the value with each number as text that a JSON parser with 64-bit floating point would change. The caller has
-- set extra_float_digits to 1.
create or replace function waybill_outbox.exact_json(value jsonb) returns jsonb
language plpgsql immutable as $waybill$
declare
  number numeric;
begin
  case jsonb_typeof(value)
    when 'number' then
      number := value::numeric;
      if number = trunc(number) and abs(number) <= ${Number.MAX_SAFE_INTEGER} then
        return value;
      end if;
      -- Beyond these limits the cast fails.
      if abs(number) between 1e-300 and ${Number.MAX_SAFE_INTEGER} and number::float8::text::numeric = number then
        return value;
      end if;
      return to_jsonb(value #>> '{}');
    when 'array' then
      if jsonb_path_exists(value, 'strict $.** ? (@.type() == "number")') then
        return (select jsonb_agg(waybill_outbox.exact_json(item) order by ordinality)
                from jsonb_array_elements(value) with ordinality as items (item, ordinality));
      end if;
    when 'object' then
      if jsonb_path_exists(value, 'strict $.** ? (@.type() == "number")') then
        return (select jsonb_object_agg(name,
                  case when jsonb_typeof(member) in ('number', 'array', 'object')
                    then waybill_outbox.exact_json(member) else member end)
                from jsonb_each(value) as members (name, member));
      end if;
    else
      null;
  end case;
  return value;
end
$waybill$;

-- Returns a list of names in the options of a trigger.
create or replace function waybill_outbox.option_names(options jsonb, name text) returns text[]
language sql immutable as $waybill$
  select array(select jsonb_array_elements_text(coalesce(options -> name, '[]')))
$waybill$;

-- Returns a row as an event shows it.
create or replace function waybill_outbox.row_object(table_row jsonb, options jsonb) returns jsonb
language plpgsql immutable as $waybill$
declare
  object jsonb := table_row - waybill_outbox.option_names(options, 'exclude');
  name text;
begin
  foreach name in array waybill_outbox.option_names(options, 'text') loop
    if jsonb_typeof(object -> name) = 'number' then
      object := object || jsonb_build_object(name, object ->> name);
    end if;
  end loop;
  return waybill_outbox.exact_json(object);
end
$waybill$;

-- Returns the id of the resource: the values of the columns, joined with "/" if there are several.
create or replace function waybill_outbox.row_id(table_row jsonb, options jsonb) returns text
language plpgsql immutable as $waybill$
declare
  columns constant text[] := waybill_outbox.option_names(options, 'id');
  values text[] := '{}';
  name text;
begin
  foreach name in array columns loop
    if table_row ->> name is null then
      raise exception using
        errcode = 'not_null_violation',
        message = format('The column %I, which identifies the resource in the outbox, is missing or NULL.', name);
    end if;
    if cardinality(columns) = 1 then
      return table_row ->> name;
    end if;
    -- ('a/b', 'c') and ('a', 'b/c') are two resources.
    values := values || replace(replace(table_row ->> name, '%', '%25'), '/', '%2F');
  end loop;
  return array_to_string(values, '/');
end
$waybill$;

-- Returns the changed members of an object.
create or replace function waybill_outbox.object_changes(before jsonb, after jsonb) returns jsonb
language sql immutable as $waybill$
  select jsonb_build_object(
    'before', (select coalesce(jsonb_object_agg(name, value), '{}') from jsonb_each(before) as old (name, value)
               where value is distinct from after -> name),
    'after', (select coalesce(jsonb_object_agg(name, value), '{}') from jsonb_each(after) as new (name, value)
              where value is distinct from before -> name))
$waybill$;

-- Returns the state of a row: its id, its object, and whether it counts as deleted.
create or replace function waybill_outbox.row_as_state(table_row jsonb, options jsonb) returns jsonb
language plpgsql immutable as $waybill$
declare
  soft_delete constant text := options ->> 'soft_delete';
  name text;
begin
  -- After a renaming, an excluded column would be recorded, and a soft deletion would not.
  foreach name in array waybill_outbox.option_names(options, 'exclude') || waybill_outbox.option_names(options, 'text')
    || soft_delete
  loop
    if not table_row ? name then
      raise exception using
        errcode = 'undefined_column',
        message = format('The table has no column %I, which its options for the outbox name.', name),
        hint = 'Give the options, or the trigger, the present columns.';
    end if;
  end loop;
  return jsonb_build_object(
    'resource_id', waybill_outbox.row_id(table_row, options),
    'object', waybill_outbox.row_object(table_row, options),
    'deleted', soft_delete is not null and table_row -> soft_delete not in ('null', 'false'));
end
$waybill$;

-- Returns the events of a change. A state is null where there is no row.
create or replace function waybill_outbox.change_events(before jsonb, after jsonb, options jsonb) returns jsonb
language plpgsql immutable as $waybill$
declare
  existed constant boolean := coalesce(not (before -> 'deleted')::boolean, false);
  exists_now constant boolean := coalesce(not (after -> 'deleted')::boolean, false);
  same_id constant boolean := coalesce(before -> 'resource_id' = after -> 'resource_id', false);
  events jsonb := '[]';
  changes jsonb;
begin
  if existed and exists_now and same_id then
    if before -> 'object' = after -> 'object' then
      return '[]';
    end if;
    changes := waybill_outbox.object_changes(before -> 'object', after -> 'object');
    -- A row that was too large before it was recorded can become smaller.
    if waybill_outbox.is_longer(changes -> 'before', ${limits.mostObjectBytes}) then
      changes := null;
    end if;
    return jsonb_build_array((after - 'deleted')
      || jsonb_build_object('type', options ->> 'updated', 'changes', changes));
  end if;
  if existed then
    -- A soft deletion shows the row with its mark, and with what else was changed with it.
    events := events || ((case when same_id then after else before end - 'deleted')
      || jsonb_build_object('type', options ->> 'deleted'));
  end if;
  if exists_now then
    events := events || ((after - 'deleted') || jsonb_build_object('type', options ->> 'created'));
  end if;
  return events;
end
$waybill$;

-- Raises an error if to_jsonb of a row would call a function of somebody else with the rights of the outbox: a cast to
-- json of one of its types. Functions of a superuser, of the owner of the outbox, and in C are trusted.
create or replace function waybill_outbox.refuse_foreign_casts(audited oid) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $waybill$
declare
  foreign_casts oid[];
  refused regtype;
begin
  -- Few databases have such a cast at all.
  if not exists (select from pg_cast where casttarget = 'json'::regtype and castfunc <> 0) then
    return;
  end if;
  foreign_casts := array(
    select c.castsource from pg_cast c
    join pg_proc p on p.oid = c.castfunc
    join pg_language l on l.oid = p.prolang
    join pg_roles r on r.oid = p.proowner
    where c.casttarget = 'json'::regtype and l.lanname not in ('internal', 'c')
      and not r.rolsuper and r.rolname <> current_user);
  if cardinality(foreign_casts) = 0 then
    return;
  end if;
  with recursive used (type) as (
    select atttypid from pg_attribute where attrelid = audited and attnum > 0 and not attisdropped
    union
    select part.type from used join pg_type t on t.oid = used.type
    cross join lateral (
      select t.typelem union all select t.typbasetype
      union all select atttypid from pg_attribute where attrelid = t.typrelid and attnum > 0 and not attisdropped
    ) as part (type)
    where part.type <> 0
  )
  select used.type into refused from used where used.type = any (foreign_casts) limit 1;
  if refused is not null then
    raise exception using
      errcode = 'insufficient_privilege',
      message = format('The table %s cannot be recorded: the type %s has a cast to json by a function of another role.',
        audited::regclass, refused),
      hint = 'Drop the cast, or give its function to the owner of the outbox.';
  end if;
end
$waybill$;

-- Raises an error if a column of a table cannot be recorded by a trigger.
-- With another plan_cache_mode, Postgres would plan the query anew for each row.
create or replace function waybill_outbox.refuse_columns(audited regclass, options jsonb) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan as $waybill$
declare
  refused name;
begin
  select attname into refused from pg_attribute
  where attrelid = audited and attnum > 0 and not attisdropped and (attgenerated = 'v' or attname = '__proto__')
    and not coalesce(options -> 'exclude' ? attname::text, false)
  limit 1;
  if refused is not null then
    raise exception using
      errcode = 'feature_not_supported',
      message = format('The column %I of the table %s must be excluded.', refused, audited),
      hint = 'Triggers do not see virtual generated columns, and no event can have a member __proto__.';
  end if;
end
$waybill$;

-- Records the change of a row. It runs with the rights of its owner, so that every role that may change the table is
-- recorded. Its settings make the text of a value the same in every session.
create or replace function waybill_outbox.record_change() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC' set datestyle = 'ISO' set intervalstyle = 'iso_8601' set bytea_output = 'hex' set lc_monetary = 'C'
set extra_float_digits = 1
as $waybill$
declare
  options constant jsonb := tg_argv[0];
  before jsonb;
  after jsonb;
begin
  perform waybill_outbox.refuse_foreign_casts(tg_relid);
  -- Such a column can be added after the trigger.
  perform waybill_outbox.refuse_columns(tg_relid, options);
  if tg_op <> 'INSERT' then
    before := waybill_outbox.row_as_state(to_jsonb(old), options);
  end if;
  if tg_op <> 'DELETE' then
    after := waybill_outbox.row_as_state(to_jsonb(new), options);
  end if;

  perform waybill_outbox.waybill_record(waybill_outbox.change_events(before, after, options));
  return null;
end
$waybill$;

create or replace function waybill_outbox.refuse_truncate() returns trigger
language plpgsql volatile set search_path = pg_catalog, pg_temp as $waybill$
begin
  raise exception using
    errcode = 'feature_not_supported',
    message = format('TRUNCATE of %I.%I is refused: its rows would disappear without events.', tg_table_schema, tg_table_name),
    hint = 'Use DELETE.';
end
$waybill$;

-- Whoever may attach these to a table can record events in the name of their owner.
revoke execute on function waybill_outbox.record_change(), waybill_outbox.refuse_truncate() from public;

-- Raises an error if a table does not have the columns that a trigger names, or cannot be recorded.
create or replace function waybill_outbox.check_columns(audited regclass, options jsonb) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $waybill$
declare
  named constant text[] := waybill_outbox.option_names(options, 'id')
    || waybill_outbox.option_names(options, 'exclude') || waybill_outbox.option_names(options, 'text')
    || case when options ? 'soft_delete' then array[options ->> 'soft_delete'] end;
  name text;
begin
  foreach name in array named loop
    if not exists (select from pg_attribute
                   where attrelid = audited and attname = name and attnum > 0 and not attisdropped) then
      raise exception using
        errcode = 'undefined_column',
        message = format('The table %s has no column %I.', audited, name);
    end if;
  end loop;
  perform waybill_outbox.refuse_columns(audited, options);
end
$waybill$;
`;
