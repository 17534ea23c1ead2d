/** The functions by which a library reads a row before and after a change, and records the difference. */
export const ROW_CHANGE = `
-- Returns the state of a row, or null if there is none. Its settings are those of record_change.
create or replace function waybill_outbox.row_state(audited regclass, options jsonb, id jsonb, locking text)
returns jsonb language plpgsql volatile
set search_path = pg_catalog, pg_temp
set timezone = 'UTC' set datestyle = 'ISO' set intervalstyle = 'iso_8601' set bytea_output = 'hex' set lc_monetary = 'C'
set extra_float_digits = 1
as $waybill$
declare
  columns constant text[] := waybill_outbox.option_names(options, 'id');
  foreign_column name;
  condition text;
  found jsonb;
begin
  if jsonb_array_length(id) <> cardinality(columns) then
    raise exception using
      errcode = 'invalid_parameter_value',
      message = format('A row of %s is identified by %s values, not %s.', audited, cardinality(columns), jsonb_array_length(id));
  end if;
  -- Here, a citext would be compared as a text: its operators are in another schema.
  select attname into foreign_column from pg_attribute
  join pg_type t on t.oid = atttypid
  join pg_opclass on opcintype in (t.oid, t.typbasetype) and opcdefault and opcnamespace <> 'pg_catalog'::regnamespace
  join pg_am on pg_am.oid = opcmethod and amname = 'btree'
  where attrelid = audited and attname = any (columns)
  limit 1;
  if foreign_column is not null then
    raise exception using
      errcode = 'feature_not_supported',
      message = format('The column %I of %s cannot identify a row: its type has operators of its own.', foreign_column, audited),
      hint = 'Name another key in the option id, or record the table by triggers.';
  end if;
  -- A literal gets the type of its column, so that an index is used.
  select string_agg(format('waybill_row.%I = %L', columns[number], id ->> (number - 1)), ' and ')
  into condition from generate_subscripts(columns, 1) as number;
  execute format('select jsonb_agg(state) from (select to_jsonb(waybill_row) as state from %s waybill_row where %s limit 2 %s) states',
    audited, condition, locking) into found;
  if jsonb_array_length(found) > 1 then
    raise exception using
      errcode = 'cardinality_violation',
      message = format('Several rows of %s have the id %s.', audited, id),
      hint = 'Name the columns of a unique key in the option id.';
  end if;
  if found is null then
    return null;
  end if;
  return waybill_outbox.row_as_state(found -> 0, options);
end
$waybill$;

-- Locks a row until the transaction ends, and returns its state. Where there is none, another transaction that asks for
-- the same row waits: both may be about to create it. Row-level security may show a row that the role cannot lock.
create or replace function waybill_outbox.lock_row(audited regclass, options jsonb, id jsonb) returns jsonb
language plpgsql volatile set search_path = pg_catalog, pg_temp as $waybill$
declare
  state jsonb := waybill_outbox.row_state(audited, options, id, 'for no key update');
begin
  if state is null then
    perform pg_advisory_xact_lock(hashtextextended(format('waybill_outbox %s %s', audited::oid, id), 0));
    state := waybill_outbox.row_state(audited, options, id, 'for no key update');
    if state is null and row_security_active(audited) then
      state := waybill_outbox.row_state(audited, options, id, '');
    end if;
  end if;
  return state;
end
$waybill$;

-- Records the change of a row since lock_row has returned its state; the JSON value null stands for a row that must be
-- new. Returns whether there is a change.
create or replace function waybill_outbox.record_row_change(audited regclass, options jsonb, id jsonb, before jsonb)
returns boolean language plpgsql volatile set search_path = pg_catalog, pg_temp as $waybill$
declare
  after constant jsonb := waybill_outbox.row_state(audited, options, id, '');
  events constant jsonb := waybill_outbox.change_events(before, after, options);
begin
  -- A transaction without an id has written nothing.
  if after is null and (before = 'null'
      or before is null and row_security_active(audited) and pg_current_xact_id_if_assigned() is not null) then
    raise exception using
      errcode = 'no_data_found',
      message = format('No row of %s has the id %s.', audited, id),
      hint = 'Where row-level security hides the row, record the table by triggers.';
  end if;
  perform waybill_outbox.waybill_record(events);
  return events <> '[]';
end
$waybill$;
`;
