import { sql, type Selectable } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database } from '../../database/database.js';
import type { BackfillsTable } from '../../database/tables.js';
import { newId } from '../../ids/id.js';

/** Prefix of the ids of backfills. */
export const BACKFILL_PREFIX = 'bkf';

/** Events that are looked at for the latest time: ids of several processes are not quite in the order of times. */
const NEWEST_EVENTS = 100;

/** States of a backfill. */
export type BackfillState = Selectable<BackfillsTable>['state'];

/** What a running backfill can wait for: the end of a pause, or a destination where what is pending fails. */
export const backfillWaits = ['pause', 'destination'] as const;
/** What a running backfill waits for, beside its rate. */
export type BackfillWait = (typeof backfillWaits)[number];

/** A request for the earlier events of a destination. */
export interface NewBackfill {
  readonly accountId: string;
  readonly destinationId: string;
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly types: readonly string[];
  /** An expression in CEL; null: every event. */
  readonly filter: string | null;
  readonly eventsPerSecond: number;
  /** Whether it ends when the events are counted. */
  readonly dryRun: boolean;
  /** Since when it misses no event; null when it misses none. */
  readonly completeSince: Date | null;
  /**
   * It may send again what the destination has of the events before this time: the records of their deliveries were
   * removed. Null: it repeats none.
   */
  readonly repeatsBefore: Date | null;
}

/** A backfill with its progress. */
export interface Backfill extends NewBackfill {
  readonly id: string;
  readonly state: BackfillState;
  /** Events up to this id are counted, while it counts, or passed; empty at the beginning of both. */
  readonly afterId: string;
  /** Number of matching events: those counted so far, while it counts. */
  readonly total: number;
  /** Number of events that got a delivery. */
  readonly queued: number;
  /** Number of events that got none. */
  readonly skipped: number;
  readonly createdAt: Date;
  /** When the events were counted; null before. */
  readonly countedAt: Date | null;
  /** Null while it is counting or running. */
  readonly finishedAt: Date | null;
}

/** The account and the destination that a backfill belongs to. */
export type BackfillOwner = Pick<NewBackfill, 'accountId' | 'destinationId'>;

/** Converts a row. */
export function toBackfill(row: Selectable<BackfillsTable>): Backfill {
  return {
    id: row.id,
    accountId: row.account_id,
    destinationId: row.destination_id,
    state: row.state,
    from: row.from_time,
    to: row.to_time,
    types: row.types,
    filter: row.filter,
    eventsPerSecond: row.events_per_second,
    dryRun: row.dry_run,
    completeSince: row.complete_since,
    repeatsBefore: row.repeats_before,
    afterId: row.after_id,
    total: row.total,
    queued: row.queued,
    skipped: row.skipped,
    createdAt: row.created_at,
    countedAt: row.counted_at,
    finishedAt: row.finished_at,
  };
}

/** Creates, shows and cancels backfills. `BackfillWalkStore` has the queries of their steps. */
export class BackfillStore {
  constructor(private readonly db: Database) {}

  /**
   * Creates a backfill. A destination that is younger than `repeatsBefore` has no earlier deliveries to repeat.
   * @returns null when the account has no such destination, or when a backfill of it is unfinished
   */
  async create(backfill: NewBackfill): Promise<Backfill | null> {
    const { accountId, destinationId, from, to, types, filter, eventsPerSecond, dryRun } = backfill;
    const { completeSince, repeatsBefore } = backfill;
    const { rows } = await sql<Selectable<BackfillsTable>>`
      insert into backfills (id, account_id, destination_id, from_time, to_time, types, filter, events_per_second,
                             dry_run, complete_since, repeats_before)
      select ${newId(BACKFILL_PREFIX)}, d.account_id, d.id, ${from}::timestamptz, ${to}::timestamptz, ${types}::text[],
             ${filter}::text, ${eventsPerSecond}::int, ${dryRun}::boolean, ${completeSince}::timestamptz,
             case when d.created_at < ${repeatsBefore}::timestamptz then ${repeatsBefore}::timestamptz end
      from (
        -- Locked: a destination that is being deleted gets no backfill.
        select id, account_id, created_at from resources
        where id = ${destinationId} and account_id = ${accountId} and kind = 'event_destination' for key share
      ) d
      on conflict (destination_id) where finished_at is null do nothing
      returning *`.execute(this.db);
    const [row] = rows;
    return row ? toBackfill(row) : null;
  }

  /** Returns the unfinished backfill of a destination, or undefined. */
  async unfinishedOf({ accountId, destinationId }: BackfillOwner): Promise<Backfill | undefined> {
    const row = await this.db
      .selectFrom('backfills')
      .selectAll()
      .where('destination_id', '=', destinationId)
      .where('account_id', '=', accountId)
      .where('finished_at', 'is', null)
      .executeTakeFirst();
    return row && toBackfill(row);
  }

  /** Returns a backfill of a destination, or undefined. */
  async find({ accountId, destinationId }: BackfillOwner, id: string): Promise<Backfill | undefined> {
    const row = await this.db
      .selectFrom('backfills')
      .selectAll()
      .where('id', '=', id)
      .where('destination_id', '=', destinationId)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row && toBackfill(row);
  }

  /** Returns at most `limit` backfills of a destination older than `beforeId`, newest first. */
  async page(
    { accountId, destinationId }: BackfillOwner,
    { limit, beforeId }: { readonly limit: number; readonly beforeId: string | undefined },
  ): Promise<readonly Backfill[]> {
    let query = this.db
      .selectFrom('backfills')
      .selectAll()
      .where('destination_id', '=', destinationId)
      .where('account_id', '=', accountId)
      .orderBy('id', 'desc')
      .limit(limit);
    if (beforeId !== undefined) query = query.where('id', '<', beforeId);
    return (await query.execute()).map(toBackfill);
  }

  /** Returns what a running backfill of a destination waits for now, beside its rate; null for nothing. */
  async waitingFor({ accountId, destinationId }: BackfillOwner): Promise<BackfillWait | null> {
    const { rows } = await sql<{ wait: BackfillWait | null }>`
      select case
        when l.paused_at is not null then 'pause'
        when l.status <> 'healthy' and exists (
          select from deliveries d
          where d.destination_id = l.destination_id and d.state = 'pending' and d.id > l.floor_id
        ) then 'destination'
      end as wait
      from delivery_lanes l where l.destination_id = ${destinationId} and l.account_id = ${accountId}`.execute(this.db);
    return rows[0]?.wait ?? null;
  }

  /** Ends an unfinished backfill. Waits for the step that is under way; what that has created is sent. */
  async cancel({ accountId, destinationId }: BackfillOwner, id: string): Promise<void> {
    await this.db
      .updateTable('backfills')
      .set({ state: 'cancelled', finished_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('destination_id', '=', destinationId)
      .where('account_id', '=', accountId)
      .where('finished_at', 'is', null)
      .execute();
  }

  /** Returns the latest time of the newest events of an account; null when it has none. */
  async newestEventAt(accountId: string): Promise<Date | null> {
    const { rows } = await sql<{ at: Date | null }>`
      select max(created_at) as at
      from (select created_at from events where account_id = ${accountId} order by id desc limit ${NEWEST_EVENTS}) newest`.execute(
      this.db,
    );
    return rows[0]?.at ?? null;
  }

  /** Returns the event types that subscriptions send to a destination, in order. */
  async routedTypes({ accountId, destinationId }: BackfillOwner): Promise<readonly string[]> {
    const rows = await this.db
      .selectFrom('event_routes')
      .select('event_type')
      .distinct()
      .where('account_id', '=', accountId)
      .where('destination_id', '=', destinationId)
      .orderBy('event_type')
      .execute();
    return rows.map(({ event_type }) => event_type);
  }

  /** Removes backfills that ended before `keptMs`. */
  async prune(keptMs: number): Promise<void> {
    await sql`delete from backfills where finished_at <= ${fromNow(-keptMs)}`.execute(this.db);
  }
}
