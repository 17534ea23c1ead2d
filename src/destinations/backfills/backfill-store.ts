import { sql, type Selectable } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database } from '../../database/database.js';
import type { BackfillsTable } from '../../database/tables.js';
import { newId } from '../../ids/id.js';

/** Prefix of the ids of backfills. */
export const BACKFILL_PREFIX = 'bkf';

/** What a running backfill can wait for: the end of a pause, or a destination where what is pending fails. */
export const backfillWaits = ['pause', 'destination'] as const;
/** What a running backfill waits for, beside its rate. */
export type BackfillWait = (typeof backfillWaits)[number];

/** A backfill with its progress. */
export type Backfill = Selectable<BackfillsTable>;

/** The account and the destination that a backfill belongs to. */
export type BackfillOwner = Pick<Backfill, 'account_id' | 'destination_id'>;

type Asked = 'from_time' | 'to_time' | 'types' | 'filter' | 'events_per_second' | 'dry_run';

/** A request for the earlier events of a destination. */
export type NewBackfill = Pick<Backfill, keyof BackfillOwner | Asked | 'complete_since' | 'repeats_before'>;

/** Creates, shows and cancels backfills. `BackfillWalkStore` has the queries of their steps. */
export class BackfillStore {
  constructor(private readonly db: Database) {}

  /**
   * Creates a backfill. A destination that is younger than `repeatsBefore` has no earlier deliveries to repeat.
   * @returns null when the account has no such destination, or when a backfill of it is unfinished
   */
  async create(backfill: NewBackfill): Promise<Backfill | null> {
    const { from_time: from, to_time: to, types, filter, events_per_second: rate, dry_run: dryRun } = backfill;
    const { account_id: accountId, destination_id: destinationId, complete_since, repeats_before } = backfill;
    const { rows } = await sql<Backfill>`
      insert into backfills (id, account_id, destination_id, from_time, to_time, types, filter, events_per_second,
                             dry_run, complete_since, repeats_before)
      select ${newId(BACKFILL_PREFIX)}, d.account_id, d.id, ${from}::timestamptz, ${to}::timestamptz, ${types}::text[],
             ${filter}::text, ${rate}::int, ${dryRun}::boolean, ${complete_since}::timestamptz,
             case when d.created_at < ${repeats_before}::timestamptz then ${repeats_before}::timestamptz end
      from (
        -- Locked: a destination that is being deleted gets no backfill.
        select id, account_id, created_at from resources
        where id = ${destinationId} and account_id = ${accountId} and kind = 'event_destination' for key share
      ) d
      on conflict (destination_id) where finished_at is null do nothing
      returning *`.execute(this.db);
    return rows[0] ?? null;
  }

  /** Returns the unfinished backfill of a destination, or undefined. */
  async unfinishedOf(owner: BackfillOwner): Promise<Backfill | undefined> {
    return this.of(owner).where('finished_at', 'is', null).executeTakeFirst();
  }

  /** Returns a backfill of a destination, or undefined. */
  async find(owner: BackfillOwner, id: string): Promise<Backfill | undefined> {
    return this.of(owner).where('id', '=', id).executeTakeFirst();
  }

  /** Returns at most `limit` backfills of a destination older than `beforeId`, newest first. */
  async page(owner: BackfillOwner, limit: number, beforeId: string | undefined): Promise<readonly Backfill[]> {
    const newest = this.of(owner).orderBy('id', 'desc').limit(limit);
    return (beforeId === undefined ? newest : newest.where('id', '<', beforeId)).execute();
  }

  /** Returns what a running backfill of a destination waits for now, beside its rate; null for nothing. */
  async waitingFor({
    account_id: accountId,
    destination_id: destinationId,
  }: BackfillOwner): Promise<BackfillWait | null> {
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
  async cancel({ account_id: accountId, destination_id: destinationId }: BackfillOwner, id: string): Promise<void> {
    await this.db
      .updateTable('backfills')
      .set({ state: 'cancelled', finished_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('destination_id', '=', destinationId)
      .where('account_id', '=', accountId)
      .where('finished_at', 'is', null)
      .execute();
  }

  /** Returns the event types that subscriptions send to a destination, in order. */
  async routedTypes({
    account_id: accountId,
    destination_id: destinationId,
  }: BackfillOwner): Promise<readonly string[]> {
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

  private of({ account_id: accountId, destination_id: destinationId }: BackfillOwner) {
    return this.db
      .selectFrom('backfills')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('destination_id', '=', destinationId);
  }
}
