import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../database/database.js';
import { PAGE_BYTES, withinBytes, type BoundedRow } from '../../../database/page-bytes.js';
import { executePrepared } from '../../../database/prepared.js';
import type { DeliveryState, EarlierRun } from '../../../database/tables.js';
import { destinationDeleted } from '../../../delivery/cancellation/destination-deleted.js';
import { claimedNumber, settledNumber } from './claimed-number.js';
import {
  attemptsIn,
  type AttemptRow,
  type DeliveryStateView,
  type DeliveryView,
  type DeliveryRun,
  type LoggedStateView,
} from './delivery-view.js';
import {
  undeliveredCounts,
  undeliveredRows,
  type UndeliveredCounted,
  type UndeliveredCountRow,
  type UndeliveredFilter,
} from './undelivered-rows.js';

/** Most attempts that are shown of one delivery: one that is tried for days has hundreds. */
export const MAX_ATTEMPTS_SHOWN = 20;

/** Bytes of an attempt in a response without its message, about. */
const ATTEMPT_BYTES = 150;

/** A page of deliveries. */
export interface DeliveryPage {
  readonly limit: number;
  /** Only deliveries older than this one. */
  readonly beforeId: number | undefined;
}

/** Deliveries of a page, with their attempts. */
export interface DeliveryViews {
  readonly deliveries: readonly DeliveryView[];
  /** The last delivery before those that were left out, since their attempts exceed the page; null: none was. */
  readonly resumeAt: number | null;
}

interface StateRow extends Omit<DeliveryStateView, 'state' | 'error'> {
  state: DeliveryState;
  in_flight: boolean;
  is_cancelled: boolean;
  error_code: string | null;
  error_message: string | null;
}

type LoggedRow = StateRow & Omit<LoggedStateView, 'state' | 'error'>;

interface ViewRow extends StateRow {
  eventType: string;
  batch_id: string | null;
  attempts: number;
  earlier_runs: EarlierRun[] | null;
}

/** Reads deliveries for the API. The cost of a list depends on the page, not on the number of deliveries. */
export class DeliveryViewStore {
  constructor(
    private readonly db: Database,
    private readonly pageBytes: number = PAGE_BYTES,
  ) {}

  /**
   * Returns these deliveries, in their order. The event's id names the partition of the finished ones.
   */
  async some(deliveries: readonly { readonly id: number; readonly eventId: string }[]): Promise<DeliveryViews> {
    if (deliveries.length === 0) return { deliveries: [], resumeAt: null };
    const rows = await executePrepared(
      this.db,
      sql<ViewRow>`
        select ${columns}
        from unnest(${deliveries.map(({ eventId }) => eventId)}::text[], ${deliveries.map(({ id }) => id)}::bigint[])
          with ordinality as wanted (event_id, id, position)
        cross join lateral (
          select * from all_deliveries where event_id = wanted.event_id and id = wanted.id limit 1
        ) d
        ${lane}
        ${number}
        ${event}
        order by wanted.position`,
    );
    return this.views(rows);
  }

  /** Returns deliveries of the account that ended without being delivered, newest first. */
  async undelivered(
    accountId: string,
    filter: UndeliveredFilter,
    { limit, beforeId }: DeliveryPage,
  ): Promise<DeliveryViews> {
    return this.newest(undeliveredRows(accountId, filter, { limit, older: olderThan(beforeId) }));
  }

  /** Counts the deliveries that ended without being delivered, of a page of destinations, newest first. */
  async undeliveredCounts(accountId: string, counted: UndeliveredCounted): Promise<readonly UndeliveredCountRow[]> {
    return (await undeliveredCounts(accountId, counted).execute(this.db)).rows;
  }

  /** Returns deliveries of one event of the account, newest first. */
  async ofEvent(accountId: string, eventId: string, { limit, beforeId }: DeliveryPage): Promise<DeliveryViews> {
    return this.newest(sql`
        select * from all_deliveries
        where event_id = ${eventId} and account_id = ${accountId} and ${olderThan(beforeId)}
        order by id desc limit ${limit}`);
  }

  /** Returns the delivery of one event to one destination. */
  async find(accountId: string, destinationId: string, eventId: string): Promise<DeliveryView | undefined> {
    const found = await this.newest(sql`
        select * from all_deliveries
        where event_id = ${eventId} and destination_id = ${destinationId} and account_id = ${accountId}`);
    return found.deliveries[0];
  }

  /** Returns the deliveries that a statement selects, newest first. */
  private async newest(page: RawBuilder<unknown>): Promise<DeliveryViews> {
    const { rows } = await sql<ViewRow>`
      with page as materialized (${page})
      select ${columns} from page d
      ${lane}
      ${number}
      ${event}
      order by d.id desc`.execute(this.db);
    return this.views(rows);
  }

  /**
   * Returns the deliveries of these events to one destination, oldest first, by event. A delivery has no number while
   * another event may get it: the states go into files that are kept.
   */
  async statesOf(
    accountId: string,
    destinationId: string,
    eventIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly LoggedStateView[]>> {
    const views = await this.logged(sql`d.event_id = any(${eventIds}::text[]) and d.destination_id = ${destinationId}
        and d.account_id = ${accountId}`);
    const byEvent = new Map<string, LoggedStateView[]>();
    for (const view of views) {
      const others = byEvent.get(view.eventId);
      if (others) others.push(view);
      else byEvent.set(view.eventId, [view]);
    }
    return byEvent;
  }

  /** Returns one delivery of an event of the account as `statesOf` does; undefined without it. */
  async stateOf(accountId: string, eventId: string, deliveryId: number): Promise<LoggedStateView | undefined> {
    const [found] = await this.logged(
      sql`d.event_id = ${eventId} and d.id = ${deliveryId} and d.account_id = ${accountId}`,
    );
    return found;
  }

  private async logged(condition: RawBuilder<unknown>): Promise<readonly LoggedStateView[]> {
    const { rows } = await sql<LoggedRow>`
      select ${stateColumns}, ${firstOfEpoch} as "firstSequence",
             (select encode(salt, 'hex') from events where id = d.event_id limit 1) as salt
      from all_deliveries d
      left join delivery_lanes l on l.destination_id = d.destination_id
      ${numberOf(settledNumber)}
      where ${condition}
      order by d.id`.execute(this.db);
    return rows.map((row) => ({ ...row, ...shownState(row) }));
  }

  private async views(rows: readonly ViewRow[]): Promise<DeliveryViews> {
    const shown = rows.map(shownRunsOf);
    const attempts = await this.attemptsOfBatches(shown.flat());
    const deliveries: DeliveryView[] = [];
    for (const [index, row] of rows.entries()) {
      const runs = shown[index] ?? [];
      if (index > 0 && !runs.every((run) => attempts.has(keyOf(run)))) break;
      deliveries.push({
        ...row,
        ...shownState(row),
        attemptCount: runsOf(row).reduce((sum, run) => sum + run.attempts, 0),
        attempts: runs.flatMap((run) => attemptsIn(run, attempts.get(keyOf(run)) ?? [])).slice(-MAX_ATTEMPTS_SHOWN),
      });
    }
    const last = deliveries.length < rows.length ? deliveries.at(-1) : undefined;
    return { deliveries, resumeAt: last?.id ?? null };
  }

  /**
   * Returns the last attempts of each run, by number: of the first runs, up to the one that reaches the bytes of a
   * page. Deliveries of a page mostly share a batch, which is read once.
   */
  private async attemptsOfBatches(runs: readonly DeliveryRun[]): Promise<ReadonlyMap<string, readonly AttemptRow[]>> {
    const distinct = [...new Map(runs.map((run) => [keyOf(run), run])).values()];
    if (distinct.length === 0) return new Map();
    const attempts = sql<AttemptRow & { readonly position: number }>`(
        select run.position, a.*
        from unnest(${distinct.map(({ batch_id }) => batch_id)}::text[], ${distinct.map((run) => run.attempts)}::int[])
          with ordinality as run (batch_id, last, position)
        cross join lateral (
          select number, started_at, duration_ms, outcome, code, message, http_status from delivery_attempts
          where batch_id = run.batch_id and number <= run.last
          order by number desc limit ${MAX_ATTEMPTS_SHOWN}
        ) a
      )`;
    const bounded = withinBytes(attempts, {
      size: sql`coalesce(octet_length(bounded.message), 0) + ${ATTEMPT_BYTES}`,
      order: sql`bounded.position, bounded.number`,
      bytes: this.pageBytes,
    });
    const { rows } = await sql<AttemptRow & BoundedRow & { readonly position: number }>`
      select * from ${bounded} attempts order by position, number`.execute(this.db);
    const last = rows.at(-1);
    // Of the run where the reading stopped, attempts may be missing.
    const end = last && last.bytes >= this.pageBytes ? last.position - 1 : distinct.length;
    const found = new Map<string, AttemptRow[]>(distinct.slice(0, end).map((run) => [keyOf(run), []]));
    for (const row of rows) {
      const run = distinct[row.position - 1];
      if (run) found.get(keyOf(run))?.push(row);
    }
    return found;
  }
}

/** The lane `l` of the delivery `d`, if it exists. The limit keeps the planner from a scan of all lanes. */
const lane = sql`left join lateral (
          select * from delivery_lanes where destination_id = d.destination_id limit 1
        ) l on true`;

/** The number of the delivery `d` in the lane `l`, as the table `numbered`. @param ofBatch its number in the batch */
function numberOf(ofBatch: RawBuilder<number | null>): RawBuilder<unknown> {
  return sql`cross join lateral (select coalesce(d.sequence, ${ofBatch}) as sequence offset 0) numbered`;
}

const number = numberOf(claimedNumber);

/** The epoch of the number of the delivery `d` in the lane `l`; null without a number, or when the lane is deleted. */
const epochOfNumber = sql`case when numbered.sequence >= l.epoch_first_sequence then l.epoch else (
    select max((earlier ->> 'epoch')::bigint) from jsonb_array_elements(l.earlier_epochs) as earlier
    where (earlier ->> 'first_sequence')::bigint <= numbered.sequence
  ) end`;

/** The first number of that epoch. */
const firstOfEpoch = sql`case when numbered.sequence >= l.epoch_first_sequence then l.epoch_first_sequence else (
    select max((earlier ->> 'first_sequence')::bigint) from jsonb_array_elements(l.earlier_epochs) as earlier
    where (earlier ->> 'first_sequence')::bigint <= numbered.sequence
  ) end`;

/**
 * The columns of a `StateRow`, of the delivery `d` in the lane `l`. A pending delivery without a lane has ended when
 * its destination was deleted, and is not marked as cancelled yet.
 */
const stateColumns = sql`d.id, d.event_id as "eventId", d.destination_id as "destinationId", d.state,
  numbered.sequence, ${epochOfNumber} as epoch, d.error_code, d.error_message, d.created_at as "createdAt",
  d.redelivered_at as "redeliveredAt", d.backfill_id as "backfillId",
  coalesce(d.state = 'pending' and d.id = any(l.batch_delivery_ids), false) as in_flight,
  d.state = 'pending' and l.destination_id is null as is_cancelled,
  coalesce(d.finished_at, case when d.state = 'pending' and l.destination_id is null
    then (select deleted_at from deleted_lanes where destination_id = d.destination_id) end) as "finishedAt"`;

const columns = sql`${stateColumns}, e.type as "eventType", d.batch_id, d.attempts, d.earlier_runs`;

/** The limit keeps the planner from a scan of all events, which it prefers while they are few. */
const event = sql`cross join lateral (select type from events where id = d.event_id limit 1) e`;

function olderThan(beforeId: number | undefined): RawBuilder<unknown> {
  return beforeId === undefined ? sql`true` : sql`id < ${beforeId}`;
}

function shownState(row: StateRow): Pick<DeliveryStateView, 'state' | 'error'> {
  const { state, error_code: code, error_message: message } = row;
  if (row.is_cancelled) return { state: 'cancelled', error: destinationDeleted };
  const error = code === null ? null : { code, message: message ?? '' };
  return { state: row.in_flight ? 'in_flight' : state, error };
}

/** The runs of a delivery that had an attempt, the current one last. */
function runsOf(row: ViewRow): readonly DeliveryRun[] {
  const earlier = row.earlier_runs ?? [];
  const { batch_id, attempts, state, error_code: code, error_message: message } = row;
  return batch_id === null ? earlier : [...earlier, { batch_id, attempts, state, code, message }];
}

/** Returns the last runs of a delivery, which have the attempts that are shown of it. */
function shownRunsOf(row: ViewRow): readonly DeliveryRun[] {
  const runs = runsOf(row);
  let [begin, attempts] = [runs.length, 0];
  while (begin > 0 && attempts < MAX_ATTEMPTS_SHOWN) {
    begin -= 1;
    attempts += runs[begin]?.attempts ?? 0;
  }
  return runs.slice(begin);
}

function keyOf({ batch_id, attempts }: Pick<DeliveryRun, 'batch_id' | 'attempts'>): string {
  return `${batch_id}:${attempts}`;
}
