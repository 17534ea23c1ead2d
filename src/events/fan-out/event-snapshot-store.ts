import { sql, type Selectable } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database, Transaction } from '../../database/database.js';
import type { EventSnapshotsTable } from '../../database/tables.js';
import { newId } from '../../ids/id.js';
import { firstOfEachAccount } from '../../maintenance/first-of-each-account.js';

/** A snapshot with its progress. */
export type EventSnapshot = Selectable<EventSnapshotsTable>;

type Asked = 'account_id' | 'subscription_id' | 'kind' | 'destination_ids' | 'operation_id' | 'base_url';

/** Whether a snapshot is running. */
export const hasRunningSnapshots = sql<boolean>`exists (select from event_snapshots where finished_at is null)`;

/** Every query on `event_snapshots` and their marks, except for those of a fan-out. */
export class EventSnapshotStore<Db extends Database = Database> {
  constructor(private readonly db: Db) {}

  /** Creates a snapshot, in the transaction that adds its routes. */
  async create(this: EventSnapshotStore<Transaction>, snapshot: Pick<EventSnapshot, Asked>): Promise<void> {
    await this.db
      .insertInto('event_snapshots')
      .values({ id: newId('snp'), ...snapshot })
      .execute();
  }

  /** Takes destinations out of the running snapshots of a subscription and a kind: a new one begins for them. */
  async leave(
    this: EventSnapshotStore<Transaction>,
    { subscription_id, kind, destination_ids }: Pick<EventSnapshot, Asked>,
  ): Promise<void> {
    await sql`
      update event_snapshots
      set destination_ids = array(
        select one from unnest(destination_ids) as one where one <> all(${destination_ids}::text[])
      )
      where subscription_id = ${subscription_id} and kind = ${kind} and finished_at is null
        and destination_ids && ${destination_ids}::text[]`.execute(this.db);
  }

  /** Returns the ids of at most `limit` running snapshots, the oldest of each account first. */
  async running(limit: number): Promise<readonly string[]> {
    const running = sql`event_snapshots where finished_at is null`;
    const { rows } = await sql<{ id: string }>`
      select id from ${firstOfEachAccount(running, sql`id`)} order by place, id limit ${limit}`.execute(this.db);
    return rows.map(({ id }) => id);
  }

  /**
   * Locks a running snapshot for a step, so that no other process makes one.
   * @returns undefined when it does not run any more, or another process makes a step
   */
  async lock(this: EventSnapshotStore<Transaction>, id: string): Promise<EventSnapshot | undefined> {
    return this.db
      .selectFrom('event_snapshots')
      .selectAll()
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
  }

  /** Returns at most `limit` snapshots of a subscription older than `beforeId`, newest first. */
  async page(
    subscriptionId: string,
    { limit, beforeId }: { limit: number; beforeId: string | undefined },
  ): Promise<readonly EventSnapshot[]> {
    const newest = this.db
      .selectFrom('event_snapshots')
      .selectAll()
      .where('subscription_id', '=', subscriptionId)
      .orderBy('id', 'desc')
      .limit(limit);
    return (beforeId === undefined ? newest : newest.where('id', '<', beforeId)).execute();
  }

  /** Returns those destinations of a snapshot that the subscription still sends snapshots to. */
  async destinations(snapshot: EventSnapshot): Promise<readonly string[]> {
    const rows = await this.db
      .selectFrom('event_routes')
      .select('destination_id')
      .where('account_id', '=', snapshot.account_id)
      .where('event_type', '=', `${snapshot.kind}_snapshot.v0`)
      .where('subscription_id', '=', snapshot.subscription_id)
      .where('destination_id', '=', sql<string>`any(${snapshot.destination_ids}::text[])`)
      .execute();
    return rows.map(({ destination_id }) => destination_id);
  }

  /** Returns which of these locked resources the snapshot skips: a change has written them, or they are new. */
  async marked({ id }: EventSnapshot, resourceIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .selectFrom('event_snapshot_marks')
      .select('resource_id')
      .where('snapshot_id', '=', id)
      .where('resource_id', '=', sql<string>`any(${resourceIds}::text[])`)
      .execute();
    return new Set(rows.map(({ resource_id }) => resource_id));
  }

  /** Returns which of these resources have a fan-out that waits for the background. */
  async withWaitingFanOut(resourceIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .selectFrom('fan_out_parts')
      .select('resource_id')
      .where('resource_id', '=', sql<string>`any(${resourceIds}::text[])`)
      .execute();
    return new Set(rows.map(({ resource_id }) => resource_id));
  }

  /** Records the number of resources when the walk of a locked snapshot begins. */
  async begin(this: EventSnapshotStore<Transaction>, { id }: EventSnapshot, total: number): Promise<void> {
    await this.db.updateTable('event_snapshots').set({ total }).where('id', '=', id).execute();
  }

  /** Moves a locked snapshot behind a resource. */
  async advance(
    this: EventSnapshotStore<Transaction>,
    { id }: EventSnapshot,
    toId: string,
    passed: number,
  ): Promise<void> {
    await this.db
      .updateTable('event_snapshots')
      .set({ after_id: toId, passed: sql`passed + ${passed}` })
      .where('id', '=', id)
      .execute();
  }

  /** Ends a locked snapshot that has passed every resource, or has no destination left. */
  async finish(this: EventSnapshotStore<Transaction>, { id }: EventSnapshot): Promise<void> {
    await this.db
      .updateTable('event_snapshots')
      .set({ finished_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute();
  }

  /** Removes the marks of snapshots that are not running, and snapshots that ended before `keptMs`. */
  async prune(keptMs: number): Promise<void> {
    await sql`
      delete from event_snapshot_marks m
      where not exists (select from event_snapshots s where s.id = m.snapshot_id and s.finished_at is null)`.execute(
      this.db,
    );
    await sql`delete from event_snapshots where finished_at <= ${fromNow(-keptMs)}`.execute(this.db);
  }
}
