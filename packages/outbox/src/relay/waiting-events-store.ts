import type { RelayDatabase } from './relay-database.js';

/** An event that may be sent. */
export interface SendableEvent {
  readonly position: string;
  readonly eventId: string;
  readonly type: string;
  readonly resourceId: string;
  /** Whether it says who made the change. */
  readonly hasPrincipal: boolean;
  /** Key of the resource, or of a few resources that wait for each other. */
  readonly resource: string;
  /** The event as JSON text, with its id. Not parsed: a parser would round numbers. */
  readonly body: string;
}

/** What a look at the outbox shows. */
export interface Look {
  /** The next batch, in order; empty if nothing can be sent. */
  readonly batch: readonly SendableEvent[];
  /** Lowest position that an event can have in a later look, unless rows come back. */
  readonly floor: bigint;
  /** Whether events wait for the end of transactions. */
  readonly unsettled: boolean;
  /** Whether events were read that wait for a rejected event, and are not marked so. */
  readonly unmarked: boolean;
  /** Number of times that rows came back below the floor. */
  readonly rewinds: string;
  /** Last position that was assigned. */
  readonly last: bigint;
}

/** Bounds of a look. */
export interface LookBounds {
  /** Lowest position. */
  readonly floor: bigint;
  readonly mostEvents: number;
  /** Most bytes of the events with commas between them. */
  readonly mostBytes: number;
}

/** Rows that one look reads. More than a batch, so that rows that must wait do not stop the others. */
const WINDOW = 1_000;

/** A statement of its own: the look must begin after it. */
const SETTLED = `
select waybill_outbox.settled_position()::text as position, waybill_outbox.last_position()::text as last`;

/**
 * Reads the next batch. The reads of one look are bounded, whatever the number of waiting rows.
 *
 * - Order is that of positions. The statement before this one has read the position up to which no further event can
 *   appear: rows up to there are settled.
 * - Rows above the last position of the sequence came with a dump: no transaction will record between them.
 * - No row is sent before an earlier one of its resource. All earlier rows are in the window, or are held.
 */
const NEXT_BATCH = `
with waiting as materialized (
  select position, event_id, type, resource_group, resource_id, event
  from waybill_outbox.events
  where not held and position >= $1::bigint
  order by position
  limit $2::int
), judged as materialized (
  select w.*,
    bool_and(w.position <= $5::bigint or w.position > (select waybill_outbox.last_position()))
      over (partition by w.resource_group, w.resource_id order by w.position) as settled,
    exists (
      select from waybill_outbox.rejected j
      where j.holds and j.resource_group = w.resource_group and j.resource_id = w.resource_id
        and j.position < w.position
    ) as blocked
  from waiting w
), sendable as materialized (
  select position, event_id, type, resource_id, resource_group,
    coalesce(jsonb_typeof(event -> 'principal') = 'object', false) as has_principal, (event || jsonb_build_object('id', event_id))::text as body
  from judged
  where settled and not blocked
  order by position
  limit $3::int
), batch as (
  select * from (
    select s.*, sum(octet_length(body) + 1) over (order by position) as bytes from sendable s
  ) as measured
  where bytes <= $4::bigint or bytes = octet_length(body) + 1
), seen as (
  select min(position) as lowest, bool_or(not settled) as unsettled, bool_or(blocked) as unmarked from judged
)
select greatest($1::bigint, least(seen.lowest, $5::bigint + 1))::text as floor,
  coalesce(seen.unsettled, false) as unsettled, coalesce(seen.unmarked, false) as unmarked,
  (select rewinds::text from waybill_outbox.relay) as rewinds,
  batch.position::text, batch.event_id::text as "eventId", batch.type, batch.resource_id as "resourceId",
  batch.has_principal as "hasPrincipal", batch.resource_group || ' ' || batch.resource_id as resource, batch.body
from seen left join batch on true
order by batch.position`;

/**
 * Marks the events that wait for a rejected event of their resource, so that no look reads them again. The lock makes
 * the statement and the release of the same events wait for each other.
 */
const MARK_HELD = `
update waybill_outbox.events e set held = true
from (
  select w.position
  from (
    select position, resource_group, resource_id
    from waybill_outbox.events
    where not held and position >= $1::bigint
    order by position
    limit $2::int
  ) as w
  join waybill_outbox.rejected j
    on j.holds and j.resource_group = w.resource_group and j.resource_id = w.resource_id and j.position < w.position
  for key share of j
) as blocked
where e.position = blocked.position and not e.held`;

/** Whether an event waits up to a position that is neither published nor held. */
const WAITS_UP_TO = `
select exists (
  select from waybill_outbox.events where not held and position >= $1::bigint and position <= $2::bigint
) as waits`;

const LAST_POSITION = `select max(position)::text as position from waybill_outbox.events where not held`;

/** A row of the look. Where nothing can be sent, there is one row, and its event is null. */
type LookRow = (SendableEvent | { readonly position: null }) & {
  readonly floor: string;
  readonly unsettled: boolean;
  readonly unmarked: boolean;
  readonly rewinds: string | null;
};

/** Reads of the events that wait to be published. */
export class WaitingEventsStore {
  constructor(private readonly database: RelayDatabase) {}

  /** Reads the next batch, and what it shows of the others. */
  async look({ floor, mostEvents, mostBytes }: LookBounds): Promise<Look> {
    const [settled] = await this.database.query<{ position: string; last: string }>(SETTLED);
    const values = [String(floor), WINDOW, mostEvents, mostBytes, settled?.position];
    const rows = await this.database.query<LookRow>(NEXT_BATCH, values);
    const [first] = rows;
    if (!settled || !first) throw new Error('The look at the outbox returned no row.');
    return {
      batch: rows.filter((row) => row.position !== null),
      floor: BigInt(first.floor),
      unsettled: first.unsettled,
      unmarked: first.unmarked,
      rewinds: first.rewinds ?? '0',
      last: BigInt(settled.last),
    };
  }

  /** Marks the first events from the floor on that wait for a rejected event. */
  async markHeld(floor: bigint): Promise<void> {
    await this.database.query(MARK_HELD, [String(floor), WINDOW]);
  }

  /** Returns the highest position of an event that waits and is not held; null for none. */
  async lastPosition(): Promise<bigint | null> {
    const [row] = await this.database.query<{ position: string | null }>(LAST_POSITION);
    return row?.position == null ? null : BigInt(row.position);
  }

  /** Returns whether an event from the floor up to a position waits and is not held. */
  async waitsUpTo(floor: bigint, position: bigint): Promise<boolean> {
    const [row] = await this.database.query<{ waits: boolean }>(WAITS_UP_TO, [String(floor), String(position)]);
    return row?.waits === true;
  }
}
