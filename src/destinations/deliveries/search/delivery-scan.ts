import { sql, type RawBuilder } from 'kysely';
import { typesIn } from '../../../events/log/event-filter.js';
import { allOf, eventPathOf, timeBoundsOf } from '../../../events/log/event-scan.js';
import { daysOfIdsBefore, daysOfIdsFrom } from '../../../events/log/id-range.js';
import { claimedRows, type BatchInFlight } from '../view/claimed-number.js';
import type { DeliveryViewState } from '../view/delivery-view.js';
import type { Beyond, DeliveryOrder } from './delivery-cursor.js';
import type { DeliveryFilter, DeliveryRange } from './delivery-filter.js';

/** The destination that is searched. `claimedFrom` is null where the filter asks for no numbers of the batch. */
export interface SearchedLane extends BatchInFlight {
  readonly accountId: string;
  /** No delivery up to this id is pending. */
  readonly floorId: number;
}

/** What a page shows. */
export interface DeliveryPage {
  readonly filter: DeliveryFilter;
  readonly order: DeliveryRange['order'];
  /** What is beyond the cursors of the page. */
  readonly beyond: readonly Beyond[];
}

/** How one page of a search of deliveries is read. */
export interface DeliveryScan {
  /** Selects at most `limit` deliveries, in order, and reads `most` rows of an index at most. */
  page(limit: number, most: number): RawBuilder<{ id: number; event_id: string }>;
  /** Selects the id of the row at which the page has read `most` rows, an event or a delivery; no row before that. */
  end(most: number): RawBuilder<{ id: string | number }>;
  /** Whether a page may end before it is full. */
  readonly isFiltered: boolean;
}

/** States that few deliveries have. */
const rareStates: readonly (DeliveryViewState | undefined)[] = ['rejected', 'expired', 'cancelled', 'in_flight'];

/**
 * Returns the order in which deliveries of a filter are found. It names the index: that of the most selective filter,
 * since Postgres would have to guess it.
 */
export function orderOf(filter: DeliveryFilter): DeliveryOrder {
  const { credential_id, principal_id, from, to, state } = filter;
  if (filter.operation_id !== undefined || filter.object_id !== undefined) return 'event';
  if (filter.sequence_from !== undefined || filter.sequence_to !== undefined) return 'sequence';
  const given = [credential_id, principal_id, from, to].some((value) => value !== undefined);
  const isOfEvents = given || typesIn(filter).length === 1;
  if (isOfEvents && !rareStates.includes(state)) return 'event';
  return state === undefined || state === 'pending' || state === 'in_flight' ? 'id' : 'created_at';
}

/** Returns how a page is read. */
export function scanOf(lane: SearchedLane, page: DeliveryPage): DeliveryScan {
  const order = orderOf(page.filter);
  return order === 'event' ? scanOfEvents(lane, page) : scanOfDeliveries(lane, page, order);
}

/** Walks through events, and finds the delivery of each. */
function scanOfEvents(lane: SearchedLane, { filter, order, beyond }: DeliveryPage): DeliveryScan {
  const { path, rest } = eventPathOf(filter);
  const direction = directionOf(order);
  const scanned = allOf([
    sql`account_id = ${lane.accountId}`,
    ...path,
    ...timeBoundsOf(filter),
    ...beyond.flatMap((one) => one.scanned),
  ]);
  const scan = (columns: RawBuilder<unknown>) =>
    sql`select ${columns} from events where ${scanned} order by id ${direction}`;
  const ofDeliveries = allOf([
    sql`destination_id = ${lane.destinationId}`,
    ...stateOf(lane, filter),
    ...numbersOrClaimedOf(lane, filter),
    ...beyond.flatMap((one) => one.deliveries),
  ]);
  return {
    isFiltered: true,
    // The offset keeps Postgres from a join with all deliveries of the destination.
    page: (limit, most) => sql`
      select d.id, d.event_id from (
        select id from (${scan(eventColumns)} limit ${most}) scanned where ${allOf(rest)}
      ) e
      cross join lateral (
        select id, event_id from all_deliveries where event_id = e.id and ${ofDeliveries} offset 0
      ) d
      order by e.id ${direction}, d.id ${direction} limit ${limit}`,
    end: (most) => sql`${scan(sql`id`)} offset ${most - 1} limit 1`,
  };
}

const eventColumns = sql`id, type, resource_id, created_at, principal_id, credential_id, operation_id, changed_fields`;

/** Walks through deliveries, and looks at the event of each where the filter needs it. */
function scanOfDeliveries(
  lane: SearchedLane,
  { filter, order, beyond }: DeliveryPage,
  by: Exclude<DeliveryOrder, 'event'>,
): DeliveryScan {
  const [state, numbers] = [stateOf(lane, filter), numbersOf(filter)];
  const isPending = filter.state === 'pending' || filter.state === 'in_flight';
  const scanned = [
    sql`destination_id = ${lane.destinationId}`,
    ...(by === 'sequence' ? numbers : state),
    ...(by === 'id' && filter.state === 'pending' ? [sql`id > ${lane.floorId}::bigint`] : []),
    ...beyond.flatMap((one) => one.scanned),
  ];
  const { path, rest: remaining } = eventPathOf(filter);
  const ofEvents = [...path, ...remaining];
  const rest = [
    ...(by === 'sequence' ? state : []),
    ...timeBoundsOf(filter, 'event_id'),
    ...beyond.flatMap((one) => one.deliveries),
    // A query for each delivery, which Postgres cannot turn into a join with all events.
    ...(ofEvents.length === 0
      ? []
      : [sql`(select true from events where id = scanned.event_id and ${allOf(ofEvents)} limit 1)`]),
  ];
  const direction = directionOf(order);
  const sorted = by === 'created_at' ? sql`created_at ${direction}, id ${direction}` : sql`${sql.id(by)} ${direction}`;
  const fromRows = (rows: RawBuilder<unknown>, more: readonly RawBuilder<unknown>[] = []) => sql`
        select id, event_id, state, sequence, created_at from ${rows}
        where ${allOf([...scanned, ...more])} order by ${sorted}`;
  const from = (table: string, more?: readonly RawBuilder<unknown>[]) => fromRows(sql.table(table), more);
  const days = daysOf(filter);
  const isClaimed = by === 'sequence' && lane.claimedFrom !== null;
  const scan = (most: number): RawBuilder<unknown> => {
    if (by === 'id' && isPending) return from('deliveries');
    if (by === 'created_at') return from('finished_deliveries', days);
    if (days.length === 0 && !isClaimed) return from('all_deliveries');
    const parts = [
      // Only finished deliveries have days: every row that is read of either table counts.
      ...(days.length === 0 ? [from('all_deliveries')] : [from('deliveries'), from('finished_deliveries', days)]),
      // The index of numbers does not have them yet.
      ...(isClaimed ? [fromRows(claimedRows(lane))] : []),
    ];
    return sql`
        select * from (${sql.join(
          parts.map((part) => sql`(${part} limit ${most})`),
          sql` union all `,
        )}) parts
        order by ${sorted}`;
  };
  return {
    isFiltered: rest.length > 0,
    page: (limit, most) => sql`
      select id, event_id from (${scan(most)} limit ${rest.length === 0 ? limit : most}) scanned
      where ${allOf(rest)} order by ${sorted} limit ${limit}`,
    end: (most) => sql`select id from (${scan(most)} offset ${most - 1} limit 1) last`,
  };
}

/** Returns the days of finished deliveries that have those of the events of these times. */
function daysOf({ from, to }: DeliveryFilter): readonly RawBuilder<unknown>[] {
  return [
    ...(from === undefined ? [] : [sql`event_id >= ${daysOfIdsFrom(new Date(from))}`]),
    ...(to === undefined ? [] : [sql`event_id < ${daysOfIdsBefore(new Date(to))}`]),
  ];
}

/** Returns the conditions of a state, as the API shows it while the destination exists. */
function stateOf({ inFlight }: SearchedLane, { state }: DeliveryFilter): readonly RawBuilder<unknown>[] {
  switch (state) {
    case undefined:
      return [];
    case 'pending':
      return [sql`state = 'pending'`, sql`id <> all(${inFlight}::bigint[])`];
    case 'in_flight':
      return [sql`state = 'pending'`, sql`id = any(${inFlight}::bigint[])`];
    case 'delivered':
    case 'rejected':
    case 'expired':
    case 'cancelled':
      // A literal, so that the planner matches it with the partial index.
      return [sql`state = ${sql.lit(state)}`];
  }
}

/** As `numbersOf`, for rows that may be claimed without having their numbers. */
function numbersOrClaimedOf(lane: SearchedLane, filter: DeliveryFilter): readonly RawBuilder<unknown>[] {
  const conditions = numbersOf(filter);
  if (lane.claimedFrom === null) return conditions;
  const claimed = sql`array(select id from ${claimedRows(lane)} where ${allOf(conditions)})`;
  return [sql`(${allOf(conditions)} or id = any(${claimed}))`];
}

function numbersOf({ sequence_from: first, sequence_to: last }: DeliveryFilter): readonly RawBuilder<unknown>[] {
  return [
    ...(first === undefined ? [] : [sql`sequence >= ${first}::bigint`]),
    ...(last === undefined ? [] : [sql`sequence <= ${last}::bigint`]),
  ];
}

function directionOf(order: DeliveryRange['order']): RawBuilder<unknown> {
  return order === 'oldest_first' ? sql`asc` : sql`desc`;
}
