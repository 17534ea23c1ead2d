import { sql, type RawBuilder } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database, Transaction } from '../../database/database.js';
import { isHealthEvent } from '../../delivery/attempts/health-event-types.js';
import { insertMissing } from '../../delivery/fan-out/insert-deliveries.js';
import { idsBefore, idsFrom } from '../../events/log/id-range.js';
import { firstOfEachAccount } from '../../maintenance/first-of-each-account.js';
import type { Backfill } from './backfill-store.js';

/** Most deliveries that wait at a destination while it gets backfilled ones, without those in flight. */
const MOST_WAITING = 100;

/** Most events that one step reads: it bounds the step, whatever the types leave. */
const MOST_SCANNED = 5_000;

/** The unfinished backfills. */
export interface UnfinishedBackfills {
  /** Ids of those that can advance now: the longest due one of each account first. */
  readonly due: readonly string[];
  /** In how many milliseconds each other one is due by its rate; 0 for one that waits for its lane. */
  readonly othersDueInMs: readonly number[];
}

/** A backfill that is locked for a step. */
export interface DueBackfill extends Backfill {
  /** How long it has been due by its rate, in milliseconds. */
  readonly overdue_ms: number;
}

/** An event that matches a backfill. */
export interface MatchingEvent {
  readonly id: string;
  readonly type: string;
  /** Length of its payload, in bytes. */
  readonly bytes: number;
}

/** Some of the events of a backfill, in order. */
export interface MatchingPage {
  readonly events: readonly MatchingEvent[];
  /** Up to where events were read; null when the range has no event left. */
  readonly readThrough: string | null;
}

/**
 * Whether the lane of the backfill `b` takes backfilled deliveries: it has none of them, few others wait, and what it
 * has does not fail. The first pending deliveries show that, however many there are.
 */
const laneIsFree: RawBuilder<boolean> = sql<boolean>`exists (
        select from delivery_lanes l
        cross join lateral (select coalesce(cardinality(l.batch_delivery_ids), 0) as count) in_flight
        cross join lateral (
          select count(*) as count, count(first.backfill_id) as backfilled from (
            select d.backfill_id from deliveries d
            where d.destination_id = l.destination_id and d.state = 'pending' and d.id > l.floor_id
            order by d.id limit in_flight.count + ${sql.lit(MOST_WAITING + 1)}
          ) first
        ) pending
        where l.destination_id = b.destination_id and l.paused_at is null
          and pending.count - in_flight.count <= ${sql.lit(MOST_WAITING)} and pending.backfilled = 0
          and (l.status = 'healthy' or pending.count = 0)
      )`;

const isDue: RawBuilder<boolean> = sql<boolean>`b.next_at <= now() and (b.state = 'counting' or ${laneIsFree})`;

/** Whether a backfill is not finished. */
export const hasUnfinishedBackfills = sql<boolean>`exists (select from backfills where finished_at is null)`;

/** The queries of the steps of backfills (docs/decisions/earlier-events.md). */
export class BackfillWalkStore<Db extends Database = Database> {
  constructor(private readonly db: Db) {}

  /** Returns at most `limit` unfinished backfills. */
  async unfinished(limit: number): Promise<UnfinishedBackfills> {
    const unfinished = sql`(select b.*, ${isDue} as due from backfills b where b.finished_at is null) unfinished`;
    const { rows } = await sql<{ id: string; due: boolean; due_in_ms: number }>`
      select id, due, greatest(0, 1000 * date_part('epoch', next_at - now())) as due_in_ms
      from ${firstOfEachAccount(unfinished, sql`due desc, next_at`)}
      order by due desc, place, next_at limit ${limit}`.execute(this.db);
    return {
      due: rows.filter(({ due }) => due).map(({ id }) => id),
      othersDueInMs: rows.filter(({ due }) => !due).map((row) => row.due_in_ms),
    };
  }

  /**
   * Locks a backfill for a step, so that no other process makes one, and so that its destination is not deleted
   * during the step.
   * @returns undefined when it is not due any more, or another process makes a step
   */
  async lock(this: BackfillWalkStore<Transaction>, id: string): Promise<DueBackfill | undefined> {
    const { rows } = await sql<DueBackfill>`
      select b.*, 1000 * date_part('epoch', now() - b.next_at) as overdue_ms from backfills b
      where b.id = ${id} and b.finished_at is null and ${isDue}
      for update of b skip locked`.execute(this.db);
    return rows[0];
  }

  /**
   * Counts the matching events among the next ones.
   * @param since no event before this time is counted
   */
  async count(
    backfill: Backfill,
    since: Date,
  ): Promise<{ readonly count: number; readonly readThrough: string | null }> {
    const { rows } = await sql<{ count: number; read: number; last: string | null }>`
      with ${scanned(backfill, since)}
      select count(*) filter (where ${matches(backfill, since)})::int as count, count(*)::int as read, max(id) as last
      from scanned`.execute(this.db);
    const { count = 0, read = 0, last = null } = rows[0] ?? {};
    return { count, readThrough: read < MOST_SCANNED ? null : last };
  }

  /**
   * Returns the first `limit` matching events among the next ones.
   * @param since no event before this time is returned
   */
  async page(backfill: Backfill, since: Date, limit: number): Promise<MatchingPage> {
    const { rows } = await sql<{ id: string | null; type: string; bytes: number; read: number; last: string | null }>`
      with ${scanned(backfill, since)}
      select m.id, m.type, m.bytes, s.read, s.last
      from (select count(*)::int as read, max(id) as last from scanned) s
      left join lateral (
        select id, type, bytes from scanned where ${matches(backfill, since)} order by id limit ${limit}
      ) m on true
      order by m.id`.execute(this.db);
    const [first] = rows;
    const events = rows.flatMap(({ id, type, bytes }) => (id === null ? [] : [{ id, type, bytes }]));
    const last = events.at(-1);
    if (last && events.length === limit) return { events, readThrough: last.id };
    return { events, readThrough: first && first.read === MOST_SCANNED ? first.last : null };
  }

  /**
   * Creates the deliveries of events, in their order: of those that the destination has no delivery of. A fan-out that
   * waits for the background counts as its deliveries.
   * @returns the events whose deliveries were created
   */
  async insertDeliveries(
    { id, account_id: accountId, destination_id: destinationId }: Backfill,
    eventIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    if (eventIds.length === 0) return new Set();
    const { rows } = await insertMissing({ destinationId, accountId, backfillId: id }, eventIds).execute(this.db);
    return new Set(rows.map(({ event_id }) => event_id));
  }

  /** Moves a backfill that counts behind the events that were counted; at the end, it begins to run. */
  async counted(backfill: Backfill, count: number, readThrough: string | null): Promise<void> {
    const isEnd = readThrough === null;
    const endsThere = isEnd && backfill.dry_run;
    const state: Backfill['state'] = endsThere ? 'finished' : isEnd ? 'running' : 'counting';
    await this.db
      .updateTable('backfills')
      .set({
        total: sql`total + ${count}::int`,
        // The walk begins anew.
        after_id: readThrough ?? '',
        // Behind the others that are due: a long count does not hold them up.
        next_at: sql<Date>`clock_timestamp()`,
        state,
        ...(isEnd && { counted_at: sql<Date>`now()` }),
        ...(endsThere && { finished_at: sql<Date>`now()` }),
      })
      .where('id', '=', backfill.id)
      .execute();
  }

  /** Lets a backfill whose step failed wait, so that it does not hold up the others. */
  async delay(id: string, delayMs: number): Promise<void> {
    await this.db
      .updateTable('backfills')
      .set({ next_at: fromNow(delayMs) })
      .where('id', '=', id)
      .execute();
  }

  /**
   * Moves a running backfill behind the events of a step. Its next portion is due when the rate permits, counted from
   * when this one was due.
   * @param throughId null: it is finished
   * @param catchUpMs longest time that it was due and that counts, in milliseconds
   */
  async passed(
    { id, events_per_second: eventsPerSecond }: Backfill,
    { queued, skipped }: { readonly queued: number; readonly skipped: number },
    throughId: string | null,
    catchUpMs: number,
  ): Promise<void> {
    await this.db
      .updateTable('backfills')
      .set({
        queued: sql`queued + ${queued}::int`,
        skipped: sql`skipped + ${skipped}::int`,
        next_at: sql<Date>`greatest(next_at, ${fromNow(-catchUpMs)}) + ${(queued * 1_000) / eventsPerSecond}::float8 * interval '1 millisecond'`,
        ...(throughId === null
          ? { state: 'finished' as const, finished_at: sql<Date>`now()` }
          : { after_id: throughId }),
      })
      .where('id', '=', id)
      .execute();
  }
}

/** The part `scanned` of a statement: the next events of the account in the range, whatever their type. */
function scanned(
  { account_id: accountId, after_id: afterId, from_time, to_time, types }: Backfill,
  since: Date,
): RawBuilder<unknown> {
  const start = idsFrom(later(from_time, since));
  const [type, ...others] = types;
  // With one type, its index has them alone.
  const path = others.length === 0 ? sql`type = ${type ?? ''}` : sql`true`;
  return sql`scanned as materialized (
        select id, type, resource_id, created_at, erasure_id, octet_length(payload) as bytes from events
        where account_id = ${accountId} and ${path} and id > ${afterId > start ? afterId : start} and id < ${idsBefore(to_time)}
        order by id limit ${MOST_SCANNED}
      )`;
}

/** Whether a scanned event matches. Erased ones do not, and those about the health of a destination not for itself. */
function matches(
  { destination_id: destinationId, from_time, to_time, types }: Backfill,
  since: Date,
): RawBuilder<boolean> {
  const others = types.filter((type) => !isHealthEvent(type));
  return sql<boolean>`erasure_id is null and type = any(${types}::text[]) and created_at >= ${later(from_time, since)} and created_at < ${to_time}
    and (resource_id <> ${destinationId} or type = any(${others}::text[]))`;
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}
