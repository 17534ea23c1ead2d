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
