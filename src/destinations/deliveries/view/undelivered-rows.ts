import { sql, type RawBuilder } from 'kysely';
import { undeliveredStates, type UndeliveredState } from './delivery-view.js';

/** Which of the deliveries that ended without being delivered are listed. */
export interface UndeliveredFilter {
  /** Undefined: rejected and expired ones. */
  readonly state: UndeliveredState | undefined;
  /** Undefined: those to every destination, also to deleted ones. */
  readonly destinationIds: readonly string[] | undefined;
}

/** A page of rows: how many at most, and a condition on their ids. */
export interface UndeliveredPage {
  readonly limit: number;
  readonly older: RawBuilder<unknown>;
}

/**
 * Selects a page of the deliveries of an account that ended without being delivered, newest first. Takes a page of
 * index entries for each state, of each destination where any are named, and merges them. So the cost depends on the
 * page and on the number of destinations that are named.
 */
export function undeliveredRows(
  accountId: string,
  { state, destinationIds }: UndeliveredFilter,
  { limit, older }: UndeliveredPage,
): RawBuilder<unknown> {
  const states = state === undefined ? undeliveredStates : [state];
  const named = destinationIds && [...new Set(destinationIds)];
  const lists = named
    ? sql`unnest(${states}::text[]) as wanted (state), unnest(${named}::text[]) as named (destination_id)`
    : sql`unnest(${states}::text[]) as wanted (state)`;
  const ofDestination = named ? sql`and destination_id = named.destination_id` : sql``;
  // The states as literals show the planner that the partial indexes apply.
  return sql`
        select found.* from ${lists}
        cross join lateral (
          select * from finished_deliveries
          where account_id = ${accountId} and state = wanted.state and state in (${literals}) ${ofDestination} and ${older}
          order by id desc limit ${limit}
        ) found
        order by found.id desc limit ${limit}`;
}

const literals = sql.join(undeliveredStates.map((state) => sql.lit(state)));

/** Deliveries of a destination in a state that are counted, at most. */
export const MOST_COUNTED = 1_000;
/** Reasons of a destination that are returned, at most: those with most deliveries. */
export const MOST_REASONS = 10;

/** What a page of counts is of. */
export interface UndeliveredCounted {
  /** Undefined: whenever the events were recorded. */
  readonly from: Date | undefined;
  readonly limit: number;
  /** Only destinations older than this id. */
  readonly beforeId: string | undefined;
}

/**
 * Selects the counts of a page of the destinations that have deliveries which ended without being delivered: a row for
 * each state and reason. Finds each destination with one index lookup, and reads its newest `MOST_COUNTED` deliveries
 * of each state. So the cost depends on the page. Each destination is grouped by itself, in memory. All of them
 * together, with their messages, would be sorted on the disk.
 */
export function undeliveredCounts(
  accountId: string,
  { from, limit, beforeId }: UndeliveredCounted,
): RawBuilder<UndeliveredCountRow> {
  return sql<UndeliveredCountRow>`
    with recursive found as (
      (${nextUndelivered(accountId, beforeId === undefined ? sql`true` : sql`destination_id < ${beforeId}`)})
      union all
      select (${nextUndelivered(accountId, sql`destination_id < found.destination_id`)}) from found where found.destination_id is not null
    ),
    page as materialized (
      select destination_id from found where destination_id is not null limit ${limit}
    )
    select page.destination_id, c.state, c.code, c.message, coalesce(c.count, 0) as count,
      coalesce(c.is_lower_bound, false) as is_lower_bound
    from page left join lateral (
      select wanted.state, one.error_code as code, (array_agg(one.error_message order by one.id desc))[1] as message,
        count(*)::int as count, bool_or(one.read > ${MOST_COUNTED}) as is_lower_bound
      from unnest(${undeliveredStates}::text[]) as wanted (state)
      cross join lateral (
        select newest.*, count(*) over () as read from (
          select id, created_at, error_code, error_message from finished_deliveries
          where account_id = ${accountId} and destination_id = page.destination_id
            and state = wanted.state and state in (${literals})
          order by id desc limit ${MOST_COUNTED + 1}
        ) newest
      ) one
      where one.created_at >= ${from ?? new Date(0)}::timestamptz
      group by wanted.state, one.error_code
    ) c on true
    order by page.destination_id desc, count desc, c.state, c.code`;
}

/** Selects the newest destination with such deliveries whose `destination_id` passes a condition. */
export function nextUndelivered(accountId: string, older: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select destination_id from finished_deliveries
    where account_id = ${accountId} and state in (${literals}) and ${older}
    order by destination_id desc limit 1`;
}

/**
 * Selects `destination_id` and `created_at` of the newest such deliveries of an account, at most `limit` of each state,
 * and as `read` how many of the state there are.
 */
export function newestUndelivered(
  accountId: string,
  states: readonly UndeliveredState[],
  limit: number,
): RawBuilder<unknown> {
  return sql`
          select one.*, count(*) over (partition by wanted.state) as read
          from unnest(${states}::text[]) as wanted (state)
          cross join lateral (
            select destination_id, created_at from finished_deliveries
            where account_id = ${accountId} and state = wanted.state and state in (${literals})
            order by id desc limit ${limit}
          ) one`;
}

/** The deliveries to a destination with a state and a reason. The state is null where the range has none. */
export interface UndeliveredCountRow {
  readonly destination_id: string;
  readonly state: UndeliveredState | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly count: number;
  /** Whether the destination has more in this state than were counted. */
  readonly is_lower_bound: boolean;
}
