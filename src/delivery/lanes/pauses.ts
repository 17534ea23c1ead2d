import { sql, type RawBuilder } from 'kysely';

/** A pause that has ended, by `performance.now()` of this process. */
export interface EndedPause {
  readonly from: number;
  readonly until: number;
}

/** The ended pauses of a lane as `pausesColumn` reads them: the ages of start and end, in milliseconds. */
export type PauseAges = readonly (readonly [from: number, until: number])[];

/**
 * Most ended pauses that a lane keeps. Beyond that, the oldest two become one, with the time between them: a delivery
 * that waited in them then expires later, never earlier.
 */
const MAX_PAUSES = 50;

/**
 * How much older than the first waiting delivery a later one may be: the order of ids is not quite that of times. A
 * transaction of a change ends after a minute.
 */
const MARGIN = sql`interval '1 hour'`;

/** The ended pauses of the lane `l`, as ages: a column of a lease. Null, and without a cost, where there is none. */
export const pausesColumn = sql`
        case when l.pauses is not null then (
          select json_agg(json_build_array(1000 * extract(epoch from now() - lower(pause)),
                                           1000 * extract(epoch from now() - upper(pause))))
          from unnest(l.pauses) as pause
        ) end as pauses`;

/** Returns the pauses of a lease that was just granted. */
export function endedPauses(ages: PauseAges | null): readonly EndedPause[] | null {
  const now = performance.now();
  return ages && ages.map(([from, until]) => ({ from: now - from, until: now - until }));
}

/**
 * Returns when the deadline of a delivery counts from: later than its request by the time that it waited in pauses. In
 * a statement, `laterByRanges` does the same.
 * @param requestedAt by `performance.now()`
 */
export function withoutPauses(requestedAt: number, pauses: readonly EndedPause[] | null): number {
  if (pauses === null) return requestedAt;
  const waited = pauses.map(({ from, until }) => Math.max(0, until - Math.max(from, requestedAt)));
  return waited.reduce((sum, ms) => sum + ms, requestedAt);
}

/**
 * Pauses a lane: no batch is claimed and no lease is granted from the commit on, and no delivery that waits expires.
 * The attempt under way continues. Adds 1 to the revision, so that a claim that waits for the lane's lock is void
 * (docs/delivery.md, rule 3).
 * @param at when it is paused, by the database's clock
 */
export function pauseStatement(destinationId: string, at: Date): RawBuilder<unknown> {
  return sql`
      update delivery_lanes set paused_at = ${at}, revision = revision + 1
      where destination_id = ${destinationId} and paused_at is null`;
}

/**
 * Ends the pause of a lane, and keeps it for the deadlines of what waits. The caller dispatches the lane after the
 * commit. Earlier pauses are kept while a delivery waits whose event was recorded before their end.
 */
export function unpauseStatement(destinationId: string): RawBuilder<unknown> {
  return sql`
      with needed as materialized (
        select l.destination_id, l.paused_at, ended.pauses
        from delivery_lanes l
        left join lateral (
          select created_at - ${MARGIN} as since from deliveries
          where destination_id = l.destination_id and state = 'pending' and id > l.floor_id
          order by id limit 1
        ) first on true
        cross join lateral (
          select range_agg(pause) as pauses from unnest(l.pauses) as pause where upper(pause) > first.since
        ) ended
        where l.destination_id = ${destinationId} and l.paused_at is not null
      )
      update delivery_lanes l
      set paused_at = null, revision = l.revision + 1,
          pauses = coalesce(${bounded(sql`needed.pauses`)}, '{}')
                   + tstzmultirange(tstzrange(needed.paused_at, greatest(needed.paused_at, clock_timestamp())))
      from needed
      where l.destination_id = needed.destination_id`;
}

/** The ended pauses, of which there are too many: the first two as one. */
function bounded(pauses: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${pauses} + case when (select count(*) from unnest(${pauses})) < ${sql.lit(MAX_PAUSES)} then '{}'::tstzmultirange
                   else tstzmultirange(tstzrange(lower(${pauses}),
                          (select upper(pause) from unnest(${pauses}) as pause order by pause offset 1 limit 1))) end)`;
}
