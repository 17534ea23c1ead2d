import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../database/database.js';
import { PAGE_BYTES, stoppedAt, withinBytes, type BoundedRow } from '../../database/page-bytes.js';
import type { ReadEvent } from '../envelope/stored-event.js';
import { timeIn, type EventFilter, type SearchRange } from './event-filter.js';
import { allOf, eventPathOf, readsPayloads, timeBoundsOf } from './event-scan.js';

/**
 * Most events that one page reads of its index. A page of a search that finds little ends there, and the next one
 * continues.
 */
export const MOST_SCANNED = 10_000;

/** As `MOST_SCANNED`, of a search that reads payloads. Each has at most 64 KiB. */
const MOST_PAYLOADS = 2_000;

/** Steps of a histogram. */
const STEPS = 60;

/** Most events whose deliveries are counted, and most deliveries of each. */
const MOST_DELIVERED = 500;
const MOST_DELIVERIES = 100;

/** States of deliveries, as rows have them. */
export const deliveryStates = ['pending', 'delivered', 'rejected', 'expired', 'cancelled'] as const;

/** How many events of a search there are over time, with the states of deliveries of the newest ones. */
export interface EventCounts {
  readonly from: Date;
  readonly to: Date;
  /** Of each of 60 steps between the two. */
  readonly steps: readonly number[];
  readonly events: number;
  /** Events before were not read; null: all were. */
  readonly reached: Date | null;
  /** Deliveries by state, of the newest events. */
  readonly deliveries: Readonly<Record<(typeof deliveryStates)[number], number>>;
  readonly deliveriesOf: number;
}

interface CountsRow extends Omit<EventCounts, 'steps' | 'deliveries'> {
  readonly steps: Readonly<Record<string, number>> | null;
  readonly deliveries: Readonly<Record<string, number>> | null;
}

/** One page of a search. */
export interface FoundEvents {
  readonly events: readonly ReadEvent[];
  /** Where the page stopped before it had `limit` events; null when it has them, and at the end. */
  readonly resumeAt: string | null;
}

/** The ids of one page of a search. */
export interface FoundIds {
  readonly ids: readonly string[];
  /** As in `FoundEvents`. */
  readonly resumeAt: string | null;
}

/** A line of a page that may end before it is full: with where the scan ended, and a row unless it found none. */
type Line<Row> = (Row | { readonly id: null }) & { readonly endedAt: string | null };

function hasRow<Row extends { readonly id: string }>(line: Line<Row>): line is Line<Row> & Row {
  return line.id !== null;
}

/** What a search returns of each event. */
interface Selection<Row> {
  readonly columns: RawBuilder<Row>;
  /** The bytes of a row `bounded`; null where the number of rows alone is limited. */
  readonly size: RawBuilder<unknown> | null;
}

const wholeEvents = {
  columns: sql<ReadEvent>`id, account_id as "accountId", type, resource_id as "resourceId", payload, created_at as "createdAt", erasure_id as "erasureId"`,
  size: sql`octet_length(bounded.payload)`,
};

const idsOnly = { columns: sql<{ readonly id: string }>`id`, size: null };

/** The searches of events (docs/decisions/event-log.md). */
export class EventSearchStore {
  constructor(
    private readonly db: Database,
    private readonly mostScanned: number = MOST_SCANNED,
    private readonly pageBytes: number = PAGE_BYTES,
  ) {}

  /**
   * Returns at most `limit` events of a range that pass a filter, up to the one that reaches `pageBytes`. Reads at most
   * `mostScanned` events of the index that the filter names, and payloads of 2,000, whatever the other filters leave.
   */
  async page(accountId: string, filter: EventFilter, range: SearchRange, limit: number): Promise<FoundEvents> {
    const { rows, resumeAt } = await this.read(wholeEvents, accountId, filter, range, limit);
    return { events: rows, resumeAt };
  }

  /** As `page`, with the ids only, and without erased events. Payloads are read for `ip` and `text`, in Postgres. */
  async ids(accountId: string, filter: EventFilter, range: SearchRange, limit: number): Promise<FoundIds> {
    const { rows, resumeAt } = await this.read(idsOnly, accountId, filter, range, limit);
    return { ids: rows.map(({ id }) => id), resumeAt };
  }

  /** Returns those of these events that exist, oldest first, up to the one that reaches `pageBytes`. */
  async withIds(accountId: string, ids: readonly string[]): Promise<readonly ReadEvent[]> {
    const wanted = sql<ReadEvent>`(
        select ${wholeEvents.columns} from events where id = any(${ids}::text[]) and account_id = ${accountId}
      )`;
    const sizes = { size: wholeEvents.size, order: sql`bounded.id`, bytes: this.pageBytes };
    const { rows } = await sql<ReadEvent>`
      select * from ${withinBytes(wanted, sizes)} page order by id`.execute(this.db);
    return rows;
  }

  private async read<Row extends { readonly id: string }>(
    { columns, size }: Selection<Row>,
    accountId: string,
    filter: EventFilter,
    range: SearchRange,
    limit: number,
  ): Promise<{ readonly rows: readonly Row[]; readonly resumeAt: string | null }> {
    const { path, rest: others } = eventPathOf(filter);
    const rest = size === null ? [...others, sql`erasure_id is null`] : others;
    const most = this.mostReadBy(filter);
    const direction = range.order === 'oldest_first' ? sql`asc` : sql`desc`;
    const pageOf = (rows: RawBuilder<Row>): RawBuilder<Row & BoundedRow> =>
      size === null
        ? sql`(select *, 0 as bytes from ${rows} found)`
        : withinBytes(rows, { size, order: sql`bounded.id ${direction}`, bytes: this.pageBytes });
    const scanned = allOf([
      sql`account_id = ${accountId}`,
      ...path,
      ...timeBoundsOf(filter),
      ...(range.before_id === undefined ? [] : [sql`id < ${range.before_id}`]),
      ...(range.after_id === undefined ? [] : [sql`id > ${range.after_id}`]),
    ]);
    const scan = (selected: RawBuilder<unknown>) =>
      sql`select ${selected} from events where ${scanned} order by id ${direction}`;
    if (rest.length === 0) {
      const newest = sql<Row>`(${scan(columns)} limit ${limit})`;
      const { rows } = await sql<Row & BoundedRow>`
        select * from ${pageOf(newest)} page order by id ${direction}`.execute(this.db);
      return { rows, resumeAt: stoppedAt(rows, this.pageBytes) };
    }
    // One statement has one snapshot: between two, retention could move the end behind events that were not read.
    const { rows: lines } = await sql<Line<Row & BoundedRow>>`
      with found as materialized (
        select ${columns} from (${scan(searched)} limit ${most}) scanned
        where ${allOf(rest)} order by id ${direction} limit ${limit}
      )
      select page.*, ended.id as "endedAt"
      from (
        select (
          select last.id from (${scan(sql`id`)} offset ${most - 1} limit 1) last
          where (select count(*) from found) < ${limit}
        ) as id
      ) ended
      left join ${pageOf(sql`found`)} page on true
      order by page.id ${direction}`.execute(this.db);
    const rows = lines.filter(hasRow<Row & BoundedRow>);
    return { rows, resumeAt: stoppedAt(rows, this.pageBytes) ?? lines[0]?.endedAt ?? null };
  }

  /**
   * Counts the events that pass a filter over time, and the deliveries of the newest ones. Reads as many events as a
   * page does: the newest ones.
   */
  async counts(accountId: string, filter: EventFilter): Promise<EventCounts> {
    const { path, rest } = eventPathOf(filter);
    const most = this.mostReadBy(filter);
    const [from = null, to = null] = [timeIn(filter.from), timeIn(filter.to)];
    const { rows } = await sql<CountsRow>`
      with read as materialized (
        select id, created_at, ${allOf(rest)} as matches from (
          select ${searched} from events where ${allOf([sql`account_id = ${accountId}`, ...path, ...timeBoundsOf(filter)])}
          order by id desc limit ${most}
        ) newest
      ),
      counted as materialized (select id, created_at from read where matches),
      reached as materialized (
        select case when count(*) = ${most} then date_trunc('milliseconds', min(created_at)) end as at from read
      ),
      begin as materialized (
        select greatest(coalesce(${from}::timestamptz,
                                 (select date_trunc('milliseconds', min(created_at)) from counted), now()), at) as at
        from reached
      ),
      range as materialized (
        select at as "from", greatest(at + interval '1 ms', coalesce(
                 least(${to}::timestamptz, case when ${to}::timestamptz > now() then now() end),
                 (select max(created_at) + interval '1 ms' from counted))) as "to"
        from begin
      ),
      steps as (
        select least(${STEPS}, width_bucket(extract(epoch from created_at), extract(epoch from "from"),
                                            extract(epoch from "to"), ${STEPS}::int)) as step, count(*)::int as events
        from counted cross join range group by step
      ),
      newest as materialized (select id from counted order by id desc limit ${MOST_DELIVERED}),
      outcomes as (
        select state, count(*)::int as deliveries from newest cross join lateral (
          select state from all_deliveries where event_id = newest.id limit ${MOST_DELIVERIES}
        ) of_event group by state
      )
      select "from", "to", (select at from reached) as reached,
             (select json_object_agg(step, events) from steps) as steps,
             (select count(*)::int from counted) as events,
             (select json_object_agg(state, deliveries) from outcomes) as deliveries,
             (select count(*)::int from newest) as "deliveriesOf"
      from range`.execute(this.db);
    const [row] = rows;
    if (!row) throw new Error('A statement without a condition has returned no row.');
    const ofState = (state: string): number => row.deliveries?.[state] ?? 0;
    return {
      ...row,
      steps: Array.from({ length: STEPS }, (_, index) => row.steps?.[index + 1] ?? 0),
      deliveries: {
        pending: ofState('pending'),
        delivered: ofState('delivered'),
        rejected: ofState('rejected'),
        expired: ofState('expired'),
        cancelled: ofState('cancelled'),
      },
    };
  }

  private mostReadBy(filter: EventFilter): number {
    return readsPayloads(filter) ? Math.min(MOST_PAYLOADS, this.mostScanned) : this.mostScanned;
  }

  /** Returns which of these types no event of the account has. */
  async typesWithoutEvents(accountId: string, types: readonly string[]): Promise<readonly string[]> {
    const { rows } = await sql<{ type: string }>`
      select type from unnest(${types}::text[]) as wanted (type)
      where not exists (select from events where account_id = ${accountId} and type = wanted.type)`.execute(this.db);
    return rows.map(({ type }) => type);
  }
}

const searched = sql`id, account_id, type, resource_id, payload, created_at, principal_id, credential_id, operation_id, changed_fields, erasure_id`;
