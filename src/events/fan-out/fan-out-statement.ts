import { sql, type RawBuilder } from 'kysely';
import { databaseTime } from '../../database/database-time.js';
import { placeholder, PreparedStatement } from '../../database/prepared.js';
import { asParts } from '../../database/statement-parts.js';
import type { ChangeEvent, NewEvent } from '../envelope/stored-event.js';
import { eventColumns, eventValues, type EventValues } from './event-columns.js';
import { sharedFence } from './route-fence.js';

/** Where a fan-out is too large for the transaction of its change. */
export interface FanOutLimits {
  /** Most deliveries that the transaction of a change creates for one event. */
  readonly inline: number;
  /** Most destinations of one part of a fan-out that waits for the background. */
  readonly part: number;
}

/** A delivery takes about 80 µs, so the transaction of a change takes at most a sixth of a second longer. */
export const fanOutLimits: FanOutLimits = { inline: 2_000, part: 2_000 };

/**
 * Whether the event of a change has a simple fan-out: no snapshot of the family is running in the account, the account
 * is not wide, and no source of the type has a filter or fields. For statements that are parts of `eventStatement`.
 */
export const isSimple = sql<boolean>`(select yes from simple)`;

/** The values of the event of a change in `eventStatement`, or their placeholders. */
type ChangeEventValues = EventValues & { readonly kind: unknown };

/** One row of `eventStatement`. */
export interface EventRow {
  readonly destination_id: string | null;
}

/** Placeholders of the values of `placedValues`. */
export const eventPlaceholders = {
  id: placeholder(0),
  accountId: placeholder(1),
  type: placeholder(2),
  resourceId: placeholder(3),
  payload: placeholder(4),
  createdAt: placeholder(5),
  traceParent: placeholder(6),
  search: {
    principalId: placeholder(7),
    credentialId: placeholder(8),
    operationId: placeholder(9),
    changedFields: placeholder(10),
  },
  kind: placeholder(11),
} satisfies ChangeEventValues;
/** Number of `eventPlaceholders`: the placeholders of a change follow them. */
export const EVENT_PLACEHOLDERS = 12;

/** A create whose event is written in the same statement. */
export interface PreparedCreate {
  /** Built by `preparedEventStatement`. */
  readonly statement: PreparedStatement<EventRow>;
  /** The values of its own placeholders, which follow those of the event. */
  readonly values: readonly unknown[];
}

/** Returns `eventStatement` for a change whose statements have placeholders, to be compiled once. */
export function preparedEventStatement(change: readonly RawBuilder<unknown>[]): PreparedStatement<EventRow> {
  return new PreparedStatement(eventStatement(eventPlaceholders, change, true));
}

/** Returns the values of `eventPlaceholders`. */
export function placedValues(event: ChangeEvent): readonly unknown[] {
  const { id, accountId, type, resourceId, payload, createdAt, traceParent, search, kind } = event;
  const { principalId, credentialId, operationId, changedFields } = search;
  const searched = [principalId, credentialId, operationId, changedFields];
  // As text: the driver formats a date in local time.
  return [id, accountId, type, resourceId, payload, createdAt.toISOString(), traceParent, ...searched, kind];
}

/**
 * Inserts the event of a change with its deliveries, if its fan-out is simple: one row for each destination. Otherwise
 * the result is one row with null, and no delivery is inserted. The statement holds the route fence until the
 * transaction ends (docs/decisions/fan-out.md).
 * @param change statements of the change, which become parts of the statement
 * @param inFull whether the event too is left out unless the fan-out is simple; `change` must refer to `isSimple` then
 */
export function eventStatement(
  event: ChangeEventValues,
  change: readonly RawBuilder<unknown>[],
  inFull: boolean,
): RawBuilder<EventRow> {
  const { id, accountId, type, kind } = event;
  const parts = change.length === 0 ? sql`` : sql`${asParts(change)},`;
  return sql<EventRow>`
      with ${sharedFence},
      simple as materialized (
        select not exists (select from wide_accounts where account_id = ${accountId})
           and not exists (select from event_snapshots
                           where account_id = ${accountId} and kind = ${kind} and finished_at is null)
           and not exists (select from event_rules where account_id = ${accountId} and event_type = ${type}) as yes
      ),
      ${parts}
      event as (
        insert into events (${eventColumns}) select ${eventValues(event)}
        where ${inFull ? isSimple : sql`true`}
      ),
      delivery as (
        insert into deliveries (event_id, destination_id, account_id, created_at)
        select distinct ${id}::text, destination_id, account_id, ${databaseTime}
        from event_routes
        where account_id = ${accountId} and event_type = ${type} and ${isSimple} and not exists (select from fence)
        returning destination_id
      )
      select destination_id from delivery
      union all select null where not ${isSimple}`;
}

/** One row of the result of a fan-out. */
export interface FanOutRow {
  /**
   * `delivery`: `id` is a destination with a delivery. `held`: `id` is a destination that needs the snapshot of the
   * resource first. `snapshot`: `id` is a snapshot that has not written the resource.
   */
  readonly is: 'delivery' | 'held' | 'snapshot';
  readonly id: string;
}

/**
 * Inserts the deliveries of an event whose fan-out is not simple, in the transaction that has inserted the event.
 *
 * No delivery is inserted while the fan-out waits: the destinations are then in `fan_out_parts`, since the routes may
 * change before the background reads them. A fan-out waits also behind an earlier one of its resource, so that no event
 * overtakes another of its resource. The account is wide until then (docs/decisions/fan-out.md).
 *
 * Held destinations get neither: the caller inserts the snapshot of the resource and the deliveries, in the same
 * transaction (docs/decisions/earlier-events.md). A new resource needs no snapshot, unless a destination of a snapshot
 * does not get its event.
 * @param refusing the subscriptions whose filter does not match the event
 */
export function fanOutStatement(
  event: ChangeEvent,
  limits: FanOutLimits,
  refusing: readonly string[] = [],
): RawBuilder<FanOutRow> {
  const { id, accountId, type, resourceId, kind, isNew } = event;
  return sql<FanOutRow>`
      with ${sharedFence},
      routed as materialized (
        select distinct destination_id from event_routes
        where account_id = ${accountId} and event_type = ${type} and not exists (select from fence)
          and ${isNotRefusing(sql`subscription_id`, refusing)}
      ),
      snapshot as materialized (
        select s.id, s.destination_ids from event_snapshots s
        where s.account_id = ${accountId} and s.kind = ${kind} and s.finished_at is null and s.after_id < ${resourceId}
          and not exists (select from event_snapshot_marks where snapshot_id = s.id and resource_id = ${resourceId})
          and exists (select from routed where destination_id = any(s.destination_ids))
      ),
      marked as (
        insert into event_snapshot_marks (snapshot_id, resource_id) select id, ${resourceId}::text from snapshot
        -- A destination without the event of a new resource needs its snapshot before its first change.
        where not ${isNew}::boolean
           or not exists (select from unnest(destination_ids) asked where asked not in (select destination_id from routed))
        on conflict do nothing
      ),
      held as materialized (
        select destination_id from routed
        where not ${isNew}::boolean and exists (select from snapshot where destination_id = any(destination_ids))
      ),
      fan_out as materialized (
        select (select count(*) from routed) > ${limits.inline}::bigint
               or exists (select from fan_out_parts where resource_id = ${resourceId}) as waits
      ),
      waiting as (
        insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
        select ${id}::text, ${accountId}::text, ${resourceId}::text, array_agg(destination_id), ${databaseTime}
        from (
          select destination_id, (row_number() over () - 1) / ${limits.part}::bigint as part
          from routed, fan_out
          where fan_out.waits and destination_id not in (select destination_id from held)
        ) numbered
        group by part order by part
      ),
      wide as (
        insert into wide_accounts (account_id) select ${accountId}::text from fan_out where fan_out.waits
        on conflict do nothing
      ),
      delivery as (
        insert into deliveries (event_id, destination_id, account_id, created_at)
        select ${id}::text, destination_id, ${accountId}::text, ${databaseTime}
        from routed, fan_out
        where not fan_out.waits and destination_id not in (select destination_id from held)
        returning destination_id
      )
      select 'delivery' as "is", destination_id as id from delivery
      union all select 'held', destination_id from held
      union all select 'snapshot', id from snapshot where not ${isNew}::boolean`;
}

/** Whether the subscription of a route is none of these. */
function isNotRefusing(subscriptionId: RawBuilder<unknown>, refusing: readonly string[]): RawBuilder<unknown> {
  return refusing.length === 0 ? sql`true` : sql`${subscriptionId} <> all(${refusing}::text[])`;
}

/** The destinations of a change that need the snapshot of its resource first. */
export interface HeldFanOut {
  readonly destinationIds: readonly string[];
  readonly snapshotIds: readonly string[];
}

/**
 * Inserts the snapshot of a resource with its deliveries, and then the deliveries of its change to the held
 * destinations: one row for each destination with a delivery. They wait if an earlier fan-out of the resource waits.
 * @param refusing the subscriptions whose filter does not match the snapshot
 */
export function heldStatement(
  change: ChangeEvent,
  snapshot: NewEvent,
  { destinationIds, snapshotIds }: HeldFanOut,
  refusing: readonly string[] = [],
): RawBuilder<{ destination_id: string }> {
  const { accountId, resourceId } = change;
  return sql<{ destination_id: string }>`
      with target as materialized (
        select distinct 1 as position, ${snapshot.id}::text as event_id, r.destination_id,
               ${databaseTime} as created_at
        from event_snapshots s
        join event_routes r on r.account_id = s.account_id and r.event_type = ${snapshot.type}
          and r.subscription_id = s.subscription_id and r.destination_id = any(s.destination_ids)
        where s.id = any(${snapshotIds}::text[])
          and ${isNotRefusing(sql`r.subscription_id`, refusing)}
        union all
        select 2, ${change.id}::text, destination_id, ${databaseTime}
        from unnest(${destinationIds}::text[]) destination_id
      ),
      event as (
        insert into events (${eventColumns}) select ${eventValues(snapshot)}
        where exists (select from target where position = 1)
      ),
      fan_out as materialized (
        select exists (select from fan_out_parts where resource_id = ${resourceId}) as waits
      ),
      waiting as (
        insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
        select event_id, ${accountId}::text, ${resourceId}::text, array_agg(destination_id), created_at
        from target, fan_out where fan_out.waits
        group by position, event_id, created_at order by position
      )
      insert into deliveries (event_id, destination_id, account_id, created_at)
      select event_id, destination_id, ${accountId}::text, created_at
      from target, fan_out where not fan_out.waits
      order by position
      returning destination_id`;
}
