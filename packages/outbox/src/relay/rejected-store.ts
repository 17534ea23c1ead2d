import type { Pool, PoolClient } from 'pg';
import { publishingLimits } from '../generated/publishing-limits.js';
import { RelayDatabase } from './relay-database.js';

/** An event that Waybill has refused. */
export interface RejectedEvent {
  readonly eventId: string;
  readonly type: string;
  readonly resourceId: string;
  readonly recordedAt: Date;
  readonly rejectedAt: Date;
  readonly status: number | null;
  readonly errorCode: string | null;
  readonly reason: string;
  /** Whether later events of the resource wait. */
  readonly holds: boolean;
}

/** Who edits a rejected event, and why. Delivered events show it. */
export interface Repair {
  /** 1 to 255 characters. */
  readonly by: string;
  /** 1 to 1,000 characters. */
  readonly reason: string;
}

/** Most event ids of a transaction, which has to end before its timeout. */
const MOST_IDS = 1_000;

const ALL_IDS = 'select event_id::text from waybill_outbox.rejected order by position';

/** Returns events to their positions, so that they precede the later events of their resources. */
const PUT_BACK = `
with back as (
  delete from waybill_outbox.rejected
  where event_id = any($1::uuid[])
  returning position, event_id, recorded_at, event, resource_group, resource_id, holds
), inserted as (
  insert into waybill_outbox.events (position, event_id, recorded_at, event)
  select position, event_id, recorded_at, event from back
)
select resource_group, resource_id, holds from back`;

/** Replaces the first rejected event with this id by an edited one, at its position, and keeps the original. */
const REPAIR = `
with back as (
  delete from waybill_outbox.rejected
  where event_id = $1::uuid
    and position = (select min(position) from waybill_outbox.rejected where event_id = $1::uuid)
  returning position, event_id, recorded_at, event, resource_group, resource_id, holds
), edited as (
  select position, event_id, recorded_at, event as original,
    $2::jsonb || jsonb_build_object(
      'occurred_at', coalesce(nullif($2::jsonb -> 'occurred_at', 'null'), event -> 'occurred_at'), 'repaired',
      jsonb_build_object('by', $3::text, 'reason', $4::text,
        'at', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as event
  from back
), kept as (
  insert into waybill_outbox.repairs (event_id, position, original, event)
  select event_id, position, original, event from edited
), inserted as (
  insert into waybill_outbox.events (position, event_id, recorded_at, event)
  select position, event_id, recorded_at, event from edited
)
select resource_group, resource_id, holds from back`;

/** Why an edited event cannot replace a rejected one; null if it can. */
const REPAIR_ERROR = `
select case
  when jsonb_typeof($2::jsonb) <> 'object' then 'it must be an object'
  when event ->> 'resource_id' is distinct from $2::jsonb ->> 'resource_id'
    then '/resource_id must stay the same: the event would precede others of another resource'
  when resource_group is distinct from split_part($2::jsonb ->> 'type', '_', 1)
    then '/type must keep its first word: the event would precede others of another resource'
  else waybill_outbox.event_error(case jsonb_typeof($2::jsonb) when 'object' then $2::jsonb - 'repaired' end)
end as error
from waybill_outbox.rejected where event_id = $1::uuid
order by position
limit 1
for update`;

const EVENT = `
select jsonb_pretty(event) as event from waybill_outbox.rejected where event_id = $1::uuid order by position limit 1`;

const DISCARD = `
delete from waybill_outbox.rejected
where event_id = any($1::uuid[])
returning resource_group, resource_id, holds`;

/** Ends the wait of the later events. A separate statement: it must see what a relay has marked before the deletion. */
const RELEASE = `
update waybill_outbox.events e set held = false
from (select distinct * from unnest($1::text[], $2::text[])) as r(resource_group, resource_id)
where e.held and e.resource_group = r.resource_group and e.resource_id = r.resource_id
  and not exists (
    select from waybill_outbox.rejected j
    where j.holds and j.resource_group = r.resource_group and j.resource_id = r.resource_id and j.position < e.position
  )`;

/** Tells the relays that rows came back below their floors, and wakes them. */
const REWIND = `
with rewound as (update waybill_outbox.relay set rewinds = rewinds + 1)
select pg_notify('waybill_outbox', '')`;

const LIST = `
select event_id::text as "eventId", type, resource_id as "resourceId", recorded_at as "recordedAt",
  rejected_at as "rejectedAt", status, error_code as "errorCode", reason, holds
from waybill_outbox.rejected
order by rejected_at, event_id
limit $1`;

interface Released {
  readonly resource_group: string;
  readonly resource_id: string;
  readonly holds: boolean;
}

/** The events that Waybill has refused, for tools of the operator. */
export type RejectedEvents = Pick<RejectedStore, keyof RejectedStore>;

/** Returns access to the rejected events of an outbox. It works while relays run. */
export function rejectedEvents(pool: Pool): RejectedEvents {
  return new RejectedStore(new RelayDatabase(pool));
}

class RejectedStore {
  constructor(private readonly database: RelayDatabase) {}

  /** Returns the rejected events, oldest first: at most `limit`, by default 1,000. */
  list(limit = 1_000): Promise<readonly RejectedEvent[]> {
    return this.database.query<RejectedEvent>(LIST, [limit]);
  }

  /**
   * Returns rejected events to the outbox, at their positions: they precede the later events of their resources. Many
   * events take several transactions. After an error, a further call continues.
   * @param eventIds null for all
   * @returns how many there were
   */
  async retry(eventIds: readonly string[] | null): Promise<number> {
    return this.inTransactions(PUT_BACK, eventIds ?? (await this.allIds()));
  }

  /** Returns the content of a rejected event as JSON text; null if there is none with this id. */
  async event(eventId: string): Promise<string | null> {
    const [row] = await this.database.query<{ event: string }>(EVENT, [eventId]);
    return row?.event ?? null;
  }

  /**
   * Replaces a rejected event by an edited one, and returns it to the outbox, at its position. The original and the
   * edit are kept in the table `repairs`.
   * @param event the whole event as JSON text, with the members of `POST /events`. Without `occurred_at`, it has that
   * of the original. `resource_id` must stay the same
   * @returns whether there is a rejected event with this id
   * @throws RangeError for an event that Waybill would refuse
   */
  async repair(eventId: string, event: string, repair: Repair): Promise<boolean> {
    const { by, reason } = checkedRepair(repair);
    // The event is not parsed: a parser would round numbers.
    return this.database.transaction(async (client) => {
      const { rows } = await client.query<{ error: string | null }>(REPAIR_ERROR, [eventId, event]);
      if (rows[0]?.error) throw new RangeError(`The event cannot be published: ${rows[0].error}.`);
      return (await removeAndRelease(client, REPAIR, [eventId, event, by, reason])) > 0;
    });
  }

  /**
   * Deletes rejected events, which are never published, and releases what they held. Many events take several
   * transactions. After an error, a further call continues.
   * @returns how many there were
   */
  discard(eventIds: readonly string[]): Promise<number> {
    return this.inTransactions(DISCARD, eventIds);
  }

  /** Returns the ids of all rejected events, in order. */
  private async allIds(): Promise<readonly string[]> {
    const rows = await this.database.query<{ event_id: string }>(ALL_IDS);
    return rows.map(({ event_id: eventId }) => eventId);
  }

  /** Removes events in as many transactions as it takes. Between them, the rest still holds what comes after it. */
  private async inTransactions(statement: string, eventIds: readonly string[]): Promise<number> {
    let count = 0;
    for (let begin = 0; begin < eventIds.length; begin += MOST_IDS) {
      const part = eventIds.slice(begin, begin + MOST_IDS);
      count += await this.database.transaction((client) => removeAndRelease(client, statement, [part]));
    }
    return count;
  }
}

function checkedRepair({ by, reason }: Repair): Repair {
  const { longestRepairer, longestReason } = publishingLimits;
  if (!isText(by, longestRepairer)) throw new RangeError(`"by" must be text of 1 to ${longestRepairer} characters.`);
  if (!isText(reason, longestReason))
    throw new RangeError(`"reason" must be text of 1 to ${longestReason} characters.`);
  return { by, reason };
}

function isText(value: unknown, longest: number): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= longest;
}

async function removeAndRelease(client: PoolClient, statement: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await client.query<Released>(statement, [...values]);
  const released = rows.filter(({ holds }) => holds);
  await client.query(RELEASE, [
    released.map(({ resource_group: group }) => group),
    released.map(({ resource_id: id }) => id),
  ]);
  if (rows.length > 0) await client.query(REWIND);
  return rows.length;
}
