import { sql, type RawBuilder } from 'kysely';
import { placeholder, PreparedStatement } from '../../database/prepared.js';
import { asParts } from '../../database/statement-parts.js';
import { textArray } from '../../database/text-array.js';
import {
  deliverOrWait,
  deliverRouted,
  isAnyBehindWaiting,
  isBehindWaiting,
  type FanOutLimits,
} from '../../delivery/fan-out/insert-deliveries.js';
import type { ChangeEvent, NewEvent } from '../envelope/stored-event.js';
import type { JudgedEvent } from '../rules/judged-event.js';
import { sharedFence } from './route-fence.js';
import { columnsOf, givenEvent, givenRows, writeEvents, type EventValues } from './write-events.js';

/** Of a transaction: a delivery takes about 80 µs, so it takes at most a sixth of a second longer. */
export const fanOutLimits: FanOutLimits = { inline: 2_000, part: 2_000 };

/**
 * Whether the event of a change has a simple fan-out: it is small, no earlier one of the resource waits, no snapshot of
 * the family is running in the account, and no source of the type has a filter or fields. For statements that are parts
 * of `simpleStatement`.
 */
export const isSimple = sql<boolean>`(select yes from simple)`;

/** The values of the event of a change in `simpleStatement`, or their placeholders. */
type ChangeEventValues = EventValues & { readonly kind: unknown };

/** One row of `simpleStatement`. */
export interface SimpleRow {
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
  saltedCommitment: placeholder(12),
} satisfies ChangeEventValues;
/** Number of `eventPlaceholders`: the placeholders of a change follow them. */
export const EVENT_PLACEHOLDERS = 13;

/** A create whose event is written in the same statement. */
export interface PreparedCreate {
  /** Built by `preparedSimpleStatement`. */
  readonly statement: PreparedStatement<SimpleRow>;
  /** The values of its own placeholders, which follow those of the event. */
  readonly values: readonly unknown[];
}

/** Returns `simpleStatement` for a change whose statements have placeholders, to be compiled once. */
export function preparedSimpleStatement(change: readonly RawBuilder<unknown>[]): PreparedStatement<SimpleRow> {
  return new PreparedStatement(simpleStatement(eventPlaceholders, change));
}

/** Returns the values of `eventPlaceholders`. */
export function placedValues(event: ChangeEvent): readonly unknown[] {
  const { id, accountId, type, resourceId, payload, createdAt, traceParent, search, kind, saltedCommitment } = event;
  const { principalId, credentialId, operationId, changedFields } = search;
  const searched = [principalId, credentialId, operationId, changedFields];
  // As text: the driver formats a date in local time.
  return [
    id,
    accountId,
    type,
    resourceId,
    payload,
    createdAt.toISOString(),
    traceParent,
    ...searched,
    kind,
    saltedCommitment,
  ];
}

/**
 * Inserts the event of a change with its deliveries, if its fan-out is simple: one row for each destination. Otherwise
 * the result is one row with null, and no event is inserted. The statement holds the route fence until the transaction
 * ends (docs/decisions/fan-out.md).
 * @param change statements of the change, which become parts of the statement
 * @param left the most deliveries; `inline` where the transaction has created none
 * @param fence `heldFence` where the transaction holds the fence of its account
 */
export function simpleStatement(
  event: ChangeEventValues,
  change: readonly RawBuilder<unknown>[],
  { inline }: FanOutLimits = fanOutLimits,
  left: RawBuilder<unknown> = sql.lit(inline),
  fence: RawBuilder<unknown> = sharedFence,
): RawBuilder<SimpleRow> {
  const { id, accountId, type, resourceId, kind } = event;
  const parts = change.length === 0 ? sql`` : sql`${asParts(change)},`;
  return sql<SimpleRow>`
      with ${fence},
      subscribed as materialized (
        select array(
          select distinct destination_id from event_routes
          where account_id = ${accountId} and event_type = ${type} and not exists (select from fence)
          order by destination_id limit ${sql.lit(inline + 1)}
        ) as ids
      ),
      simple as materialized (
        select cardinality((select ids from subscribed)) <= ${left}
           and not ${isBehindWaiting(sql`${resourceId}`)}
           and not exists (select from event_snapshots
                           where account_id = ${accountId} and kind = ${kind} and finished_at is null)
           and not exists (select from event_rules where account_id = ${accountId} and event_type = ${type}) as yes
      ),
      ${parts}
      ${givenEvent(event, isSimple)},
      routed as (
        select 1 as position, ${id}::text as event_id, ${accountId}::text as account_id, destination_id
        from subscribed cross join unnest(ids) as destination_id where ${isSimple}
      ),
      ${writeEvents(deliverRouted())}
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

/** Which subscribed destinations do not get an event. */
export interface LeftOut {
  /** The subscriptions whose filter does not match the event. */
  readonly refusing: readonly string[];
  /** A destination; null: none. */
  readonly destinationId: string | null;
}

/**
 * Inserts an event, whose fan-out need not be simple, with its deliveries. They wait for the background if they are
 * many, or if an earlier fan-out of the resource waits, so that no event overtakes another of its resource
 * (docs/decisions/fan-out.md).
 *
 * Held destinations get none: the caller inserts the snapshot of the resource and their deliveries, in the same
 * transaction (docs/decisions/earlier-events.md). A new resource needs no snapshot, unless a destination of a snapshot
 * does not get its event.
 */
export function fanOutStatement(
  event: ChangeEvent,
  { refusing, destinationId }: LeftOut,
  limits: FanOutLimits,
  fence: RawBuilder<unknown>,
): RawBuilder<FanOutRow> {
  const { id, accountId, type, resourceId, kind, isNew } = event;
  const isOther = destinationId === null ? sql`true` : sql`destination_id <> ${destinationId}`;
  return sql<FanOutRow>`
      with ${fence},
      subscribed as materialized (
        select distinct destination_id from event_routes
        where account_id = ${accountId} and event_type = ${type} and not exists (select from fence)
          and ${isNotRefusing(sql`subscription_id`, refusing)} and ${isOther}
      ),
      snapshot as materialized (
        select s.id, s.destination_ids from event_snapshots s
        where s.account_id = ${accountId} and s.kind = ${kind} and s.finished_at is null and s.after_id < ${resourceId}
          and not exists (select from event_snapshot_marks where snapshot_id = s.id and resource_id = ${resourceId})
          and exists (select from subscribed where destination_id = any(s.destination_ids))
      ),
      marked as (
        insert into event_snapshot_marks (snapshot_id, resource_id) select id, ${resourceId}::text from snapshot
        -- A destination without the event of a new resource needs its snapshot before its first change.
        where not ${isNew}::boolean
           or not exists (select from unnest(destination_ids) asked where asked not in (select destination_id from subscribed))
        on conflict do nothing
      ),
      held as materialized (
        select destination_id from subscribed
        where not ${isNew}::boolean and exists (select from snapshot where destination_id = any(destination_ids))
      ),
      ${givenEvent(event, sql`true`)},
      routed as not materialized (
        select 1 as position, ${id}::text as event_id, ${accountId}::text as account_id, ${resourceId}::text as fan_out_key,
               destination_id
        from subscribed where destination_id not in (select destination_id from held)
      ),
      ${writeEvents(deliverOrWait(limits, isBehindWaiting(sql`${resourceId}`)))}
      select 'delivery' as "is", destination_id as id from delivery
      union all select 'held', destination_id from held
      union all select 'snapshot', id from snapshot where not ${isNew}::boolean`;
}

/** An event of a deletion, with what the rules of its type say. */
export type JudgedDeletion = NewEvent & JudgedEvent;

/** The deliveries of several events. */
export interface ManyDeliveries {
  /** The destinations that have one. */
  readonly destination_ids: readonly string[];
  readonly deliveries: number;
}

/**
 * Inserts the events of deletions, each with its deliveries, in their order. The deliveries of all of them wait for the
 * background if they are many, or if an earlier fan-out of one of the resources waits. For families without a running
 * snapshot: a transaction that holds the route fence sees the start of none.
 * @param events of one account and type, each of another resource
 */
export function deletionsStatement(
  events: readonly JudgedDeletion[],
  limits: FanOutLimits,
  fence: RawBuilder<unknown>,
): RawBuilder<ManyDeliveries> {
  const refusing = events.map((event) => textArray(event.refusing));
  return sql<ManyDeliveries>`
      with ${fence},
      ${givenRows({ ...columnsOf(events), refusing })},
      routed as not materialized (
        select given.position, given.id as event_id, given.account_id, given.resource_id as fan_out_key,
               route.destination_id
        from given
        cross join lateral (
          select distinct destination_id from event_routes
          where account_id = given.account_id and event_type = given.type and not exists (select from fence)
            and subscription_id <> all(given.refusing::text[])
        ) route
      ),
      ${writeEvents(deliverOrWait(limits, isAnyBehindWaiting(sql`select resource_id from given`)))}
      select array(select distinct destination_id from delivery) as destination_ids,
             (select count(*) from delivery)::int as deliveries`;
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
 * destinations: one row for each destination with a delivery. They wait as those of `fanOutStatement` do.
 * @param refusing the subscriptions whose filter does not match the snapshot
 */
export function heldStatement(
  change: ChangeEvent,
  snapshot: NewEvent,
  { destinationIds, snapshotIds }: HeldFanOut,
  refusing: readonly string[],
  limits: FanOutLimits,
): RawBuilder<{ destination_id: string }> {
  const { accountId, resourceId } = change;
  return sql<{ destination_id: string }>`
      with routed as materialized (
        select distinct 1 as position, ${snapshot.id}::text as event_id, ${accountId}::text as account_id,
               ${resourceId}::text as fan_out_key, r.destination_id
        from event_snapshots s
        join event_routes r on r.account_id = s.account_id and r.event_type = ${snapshot.type}
          and r.subscription_id = s.subscription_id and r.destination_id = any(s.destination_ids)
        where s.id = any(${snapshotIds}::text[])
          and ${isNotRefusing(sql`r.subscription_id`, refusing)}
        union all
        select 2, ${change.id}::text, ${accountId}::text, ${resourceId}::text, destination_id
        from unnest(${destinationIds}::text[]) destination_id
      ),
      ${givenEvent(snapshot, sql<boolean>`exists (select from routed where position = 1)`)},
      ${writeEvents(deliverOrWait(limits, isBehindWaiting(sql`${resourceId}`)))}
      select destination_id from delivery`;
}
