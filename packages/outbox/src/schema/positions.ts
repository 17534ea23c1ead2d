/**
 * First 16 bits of the keys of advisory locks on positions: any number that other applications are unlikely to use. The
 * other 48 bits are a position.
 */
const LOCK_PREFIX = 0x57_42;
const FIRST_KEY = BigInt(LOCK_PREFIX) << 48n;

const SEQUENCE = `'waybill_outbox.events_position_seq'`;

/**
 * The functions that assign positions, and say up to where no further event can appear.
 *
 * A transaction that records holds a shared advisory lock until it ends. The key of the lock is the last position that
 * was assigned before the lock, so all positions of the transaction are above it. Who reads the last position, and the
 * locks after it, knows every transaction that may still commit an event up to that position.
 */
export const POSITIONS = `
-- Returns the last position that was assigned; 0 for none.
create or replace function waybill_outbox.last_position() returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $waybill$
begin
  return coalesce(pg_sequence_last_value(${SEQUENCE}::regclass), 0);
end
$waybill$;

-- Assigns the position of an event. It runs with the rights of its owner: the application needs none on the sequence,
-- whose CACHE must be 1. Each name has its schema, because a search_path of its own would double its time.
create or replace function waybill_outbox.next_position() returns bigint
language plpgsql volatile security definer as $waybill$
declare
  this_transaction constant text := pg_catalog.pg_current_xact_id();
begin
  -- One lock for each transaction. The setting and the lock both end with the transaction, or with the savepoint in
  -- which they began when that is rolled back.
  if coalesce(pg_catalog.textne(pg_catalog.current_setting('waybill.recording', true), this_transaction), true) then
    perform pg_catalog.pg_advisory_xact_lock_shared(
      pg_catalog.int8pl(${FIRST_KEY}, coalesce(pg_catalog.pg_sequence_last_value(${SEQUENCE}::pg_catalog.regclass), 0)));
    perform pg_catalog.set_config('waybill.recording', this_transaction, true);
  end if;
  -- Strictly after the lock.
  return pg_catalog.nextval(${SEQUENCE}::pg_catalog.regclass);
end
$waybill$;

-- Returns the open transactions that have recorded, and for each a position below all of its own. The process id of a
-- prepared transaction is null.
create or replace function waybill_outbox.recording_transactions()
returns table (pid integer, virtualtransaction text, above bigint)
language sql volatile set search_path = pg_catalog, pg_temp as $waybill$
  select l.pid, l.virtualtransaction, (l.classid::bigint & 65535) << 32 | l.objid::bigint
  from pg_locks l
  where l.locktype = 'advisory' and l.objsubid = 1 and l.classid::bigint >> 16 = ${LOCK_PREFIX} and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
$waybill$;

-- Returns the position up to which a later statement sees every event that can still be published.
create or replace function waybill_outbox.settled_position() returns bigint
language plpgsql volatile set search_path = pg_catalog, pg_temp as $waybill$
declare
  -- Strictly before the locks.
  last constant bigint := waybill_outbox.last_position();
begin
  if pg_is_in_recovery() then
    raise exception using
      errcode = 'read_only_sql_transaction',
      message = 'This server is a standby: it does not know the transactions of the primary.',
      hint = 'Connect the relay to the primary, without a pooler that balances reads.';
  end if;
  return least(last, (select min(above) from waybill_outbox.recording_transactions()));
end
$waybill$;
`;
