import type { RelayDatabase } from './relay-database.js';
import type { SendableEvent } from './waiting-events-store.js';

/** Why an event cannot be published. */
export interface Rejection {
  readonly event: SendableEvent;
  /** One line for people. */
  readonly reason: string;
  /** Of Waybill's response; null if the relay itself refuses the event. */
  readonly status: number | null;
  readonly errorCode: string;
  /** The errors of Waybill's answer that belong to the event. */
  readonly detail: readonly unknown[];
  /** Whether later events of the resource wait. */
  readonly holds: boolean;
}

/**
 * Deletes accepted events and counts them, if the relay still has the lease. Another relay may have settled them since,
 * and an operator may have repaired one: what was sent is then not what is there. The event ids protect events that
 * have got the same positions since, after the restore of a backup.
 */
const ACCEPT = `
with lease as (
  select from waybill_outbox.relay where holder = $3 for update
), deleted as (
  delete from waybill_outbox.events
  where position = any($1::bigint[]) and event_id = any($2::uuid[]) and exists (select from lease)
  returning 1
)
update waybill_outbox.relay
set published = published + (select count(*) from deleted), last_published_at = clock_timestamp(), last_error = null
where exists (select from lease)`;

/**
 * Moves refused events to the rejected ones and counts them, if the relay still has the lease. Several events can have
 * one id if the application chose it, and an event that is rejected already can come back with a part of a backup.
 */
const REJECT = `
with lease as (
  select from waybill_outbox.relay where holder = $8 for update
), refused as (
  select * from unnest($1::bigint[], $2::uuid[], $3::text[], $4::int[], $5::text[], $6::jsonb[], $7::boolean[])
    as r(position, event_id, reason, status, error_code, detail, holds)
), moved as (
  delete from waybill_outbox.events e
  where e.position = any($1::bigint[]) and e.event_id = any($2::uuid[]) and exists (select from lease)
  returning e.position, e.event_id, e.recorded_at, e.event
), inserted as (
  insert into waybill_outbox.rejected
    (position, event_id, recorded_at, event, reason, status, error_code, detail, holds)
  select m.*, r.reason, r.status, r.error_code, r.detail, r.holds
  from moved m join refused r using (event_id, position)
  on conflict (event_id, position) do update
  set event = excluded.event, reason = excluded.reason, status = excluded.status, error_code = excluded.error_code,
    detail = excluded.detail, holds = excluded.holds, rejected_at = excluded.rejected_at
  returning 1
)
update waybill_outbox.relay
set rejected = rejected + (select count(*) from inserted)
where exists (select from lease)`;

/** Writes the result of a request. */
export class SettlementStore {
  /** @param holder of the lease: without it, nothing is settled */
  constructor(
    private readonly database: RelayDatabase,
    private readonly holder: string,
  ) {}

  /** Deletes events that Waybill has accepted. Does nothing without the lease: they are sent again, by their ids. */
  async accept(events: readonly SendableEvent[]): Promise<void> {
    await this.database.query(ACCEPT, [
      events.map(({ position }) => position),
      events.map(({ eventId }) => eventId),
      this.holder,
    ]);
  }

  /** Moves events that Waybill has refused for good to the rejected ones. Does nothing without the lease. */
  async reject(rejections: readonly Rejection[]): Promise<void> {
    await this.database.query(REJECT, [
      rejections.map(({ event }) => event.position),
      rejections.map(({ event }) => event.eventId),
      rejections.map(({ reason }) => reason),
      rejections.map(({ status }) => status),
      rejections.map(({ errorCode }) => errorCode),
      rejections.map(({ detail }) => JSON.stringify(detail)),
      rejections.map(({ holds }) => holds),
      this.holder,
    ]);
  }

  /** Stores the error for `status`. */
  async failed(error: string): Promise<void> {
    await this.database.query('update waybill_outbox.relay set last_error = $1', [error]);
  }
}
