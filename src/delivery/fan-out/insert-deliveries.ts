import { sql, type RawBuilder } from 'kysely';
import { databaseTime } from '../../database/database-time.js';

/** Where a fan-out is too large for the transaction of its events. */
export interface FanOutLimits {
  /** Most deliveries that the transaction creates. */
  readonly inline: number;
  /** Most destinations of one part of a fan-out that waits for the background. */
  readonly part: number;
}

/**
 * Returns the statement that inserts deliveries.
 * @param rows a query with their columns in order: `event_id`, `destination_id`, `account_id`, `created_at`,
 * `backfill_id`
 */
export function insertDeliveries(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
        insert into deliveries (event_id, destination_id, account_id, created_at, backfill_id)
        ${rows}`;
}

/**
 * Returns the part `delivery` of a statement, which inserts a delivery for each row of its part `routed`, in the order
 * of `position`. `routed` has the columns `position`, `event_id`, `account_id` and `destination_id`.
 */
export function deliverRouted(): RawBuilder<unknown> {
  return deliveredRouted(sql``);
}

/**
 * Returns the parts of a statement that insert a delivery for each row of its part `routed`, as `deliverRouted` does.
 * A fan-out that is large, or behind an earlier one of its resource that waits, waits for the background: all of its
 * destinations are then in `fan_out_parts`, since the routes may change before the background reads them. `routed` has
 * the column `fan_out_key` too: fan-outs with the same key keep their order.
 * @param isBehind whether an earlier fan-out waits (`isBehindWaiting`, `isAnyBehindWaiting`)
 */
export function deliverOrWait(limits: FanOutLimits, isBehind: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
      fan_out as materialized (
        select (select count(*) from routed) > ${limits.inline}::bigint or ${isBehind} as waits
      ),
      waiting as (
        insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
        select event_id, account_id, fan_out_key, array_agg(destination_id), ${databaseTime}
        from (
          select event_id, account_id, fan_out_key, destination_id, position,
                 (row_number() over (partition by position) - 1) / ${limits.part}::bigint as part
          from routed where (select waits from fan_out)
        ) numbered
        group by position, event_id, account_id, fan_out_key, part order by position, part
      ),
      ${deliveredRouted(sql`where not (select waits from fan_out)`)}`;
}

function deliveredRouted(where: RawBuilder<unknown>): RawBuilder<unknown> {
  const rows = sql`
        select event_id, destination_id, account_id, ${databaseTime}, null from routed ${where} order by position`;
  return sql`
      delivery as (${insertDeliveries(rows)}
        returning id, event_id, destination_id
      )`;
}

/** Whether a fan-out with this key waits for the background. */
export function isBehindWaiting(key: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from fan_out_parts where resource_id in (${key}))`;
}

/**
 * Whether a fan-out with one of these keys waits for the background. The limit makes the planner look up each key: it
 * would otherwise read all fan-outs that wait.
 * @param keys a query with one column
 */
export function isAnyBehindWaiting(keys: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
          select from (${keys}) as behind (key)
          cross join lateral (select from fan_out_parts where resource_id = behind.key limit 1) part
        )`;
}

/** A backfill whose deliveries are inserted. */
export interface BackfilledLane {
  readonly destinationId: string;
  readonly accountId: string;
  readonly backfillId: string;
}

/**
 * Inserts the deliveries of events for a backfill, in their order: of those that the destination has no delivery of. A
 * fan-out that waits counts as its deliveries. One row for each event with a new delivery.
 */
export function insertMissing(
  { destinationId, accountId, backfillId }: BackfilledLane,
  eventIds: readonly string[],
): RawBuilder<{ event_id: string }> {
  const rows = sql`
        select e.id, ${destinationId}::text, ${accountId}::text, ${databaseTime}, ${backfillId}::text
        from unnest(${eventIds}::text[]) with ordinality as e (id, position)
        -- Queries of their own for each event, so that each reads the entries and the partition of one.
        where (select true from deliveries d where d.event_id = e.id and d.destination_id = ${destinationId} limit 1) is null
          and (select true from finished_deliveries h where h.event_id = e.id and h.destination_id = ${destinationId} limit 1) is null
          and (select true from fan_out_parts p where p.event_id = e.id and ${destinationId} = any(p.destination_ids) limit 1) is null
        order by e.position`;
  return sql<{ event_id: string }>`${insertDeliveries(rows)} returning event_id`;
}
