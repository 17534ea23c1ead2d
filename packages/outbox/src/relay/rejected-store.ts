import type { PoolClient } from 'pg';
import type { RelayDatabase } from './relay-database.js';

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

/** Returns the event to its position, so that it precedes the later events of its resource. */
const PUT_BACK = `
with back as (
  delete from waybill_outbox.rejected
  where $1::uuid[] is null or event_id = any($1::uuid[])
  returning position, event_id, recorded_at, event, resource_group, resource_id, holds
), inserted as (
  insert into waybill_outbox.events (position, event_id, recorded_at, event)
  select position, event_id, recorded_at, event from back
)
select resource_group, resource_id, holds from back`;

const DISCARD = `
delete from waybill_outbox.rejected
where event_id = any($1::uuid[])
returning resource_group, resource_id, holds`;

/** Ends the wait of the later events. A separate statement: it must see what a relay has marked before the deletion. */
const RELEASE = `
update waybill_outbox.events e set held = false
from unnest($1::text[], $2::text[]) as r(resource_group, resource_id)
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
select event_id::text, type, resource_id, recorded_at, rejected_at, status, error_code, reason, holds
from waybill_outbox.rejected
order by rejected_at, event_id
limit $1`;

interface Released {
  readonly resource_group: string;
  readonly resource_id: string;
  readonly holds: boolean;
}

interface RejectedRow {
  readonly event_id: string;
  readonly type: string;
  readonly resource_id: string;
  readonly recorded_at: Date;
  readonly rejected_at: Date;
  readonly status: number | null;
  readonly error_code: string | null;
  readonly reason: string;
  readonly holds: boolean;
}

/** The events that Waybill has refused. */
export class RejectedStore {
  constructor(private readonly database: RelayDatabase) {}

  /** Returns the rejected events, oldest first. */
  async list(limit: number): Promise<readonly RejectedEvent[]> {
    const rows = await this.database.query<RejectedRow>(LIST, [limit]);
    return rows.map((row) => ({
      eventId: row.event_id,
      type: row.type,
      resourceId: row.resource_id,
      recordedAt: row.recorded_at,
      rejectedAt: row.rejected_at,
      status: row.status,
      errorCode: row.error_code,
      reason: row.reason,
      holds: row.holds,
    }));
  }

  /**
   * Returns rejected events to the outbox.
   * @param eventIds null for all
   * @returns their number
   */
  retry(eventIds: readonly string[] | null): Promise<number> {
    return this.database.transaction((client) => removeAndRelease(client, PUT_BACK, eventIds));
  }

  /** Deletes rejected events: they are never published. Returns their number. */
  discard(eventIds: readonly string[]): Promise<number> {
    return this.database.transaction((client) => removeAndRelease(client, DISCARD, eventIds));
  }
}

async function removeAndRelease(
  client: PoolClient,
  statement: string,
  eventIds: readonly string[] | null,
): Promise<number> {
  const { rows } = await client.query<Released>(statement, [eventIds]);
  const released = rows.filter(({ holds }) => holds);
  await client.query(RELEASE, [
    released.map(({ resource_group: group }) => group),
    released.map(({ resource_id: id }) => id),
  ]);
  if (rows.length > 0) await client.query(REWIND);
  return rows.length;
}
