import { sql, type RawBuilder, type Selectable } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database } from '../../database/database.js';
import { markRemoved } from '../../database/partitions/retention-marks.js';
import type { ExportsTable } from '../../database/tables.js';
import {
  toExport,
  type Export,
  type ExportAttempt,
  type ExportError,
  type ExportManifest,
  type ExportProgress,
} from '../export.js';

/**
 * Longest that an export waits for the transactions that ran when it was created, in milliseconds. Those of Waybill end
 * within a minute or so; one of another database of the server may stay open for days.
 */
const LONGEST_WAIT_MS = 300_000;

/** Which exports a claim takes, and where their files are written. */
export interface ExportClaim {
  /** How long the attempt may be silent, in milliseconds. */
  readonly leaseMs: number;
  /** Whether to leave out exports that an attempt has found to be large. */
  readonly smallOnly: boolean;
  /** Name of the storage of the attempt. */
  readonly storage: string;
}

/** Exports of one page of the cleanup. */
const CLEANED_AT_ONCE = 100;
/** Wait after a removal of files that failed, in milliseconds. */
const REMOVED_AGAIN_MS = 600_000;

/** Whether an export is not written yet. */
export const hasUnwrittenExports = sql<boolean>`exists (select from exports where state in ('pending', 'running'))`;

/** Whether an attempt has begun at an export that is not written yet. */
export const hasBegunExports = sql<boolean>`exists (select from exports where state = 'running')`;

/** Every query of the processes that write and remove the files of exports. */
export class ExportWorkStore {
  constructor(private readonly db: Database) {}

  /**
   * Begins the next attempt at an export that no other process writes, and leases it: the oldest one of the account
   * with the fewest that are being written. An export may begin when every transaction has ended that ran at its
   * creation: then no event can appear between those that it reads. That of a destination also waits for the fan-outs
   * of its events: then each of them has its delivery.
   * @returns the export, or undefined
   */
  async claim({ leaseMs, smallOnly, storage }: ExportClaim): Promise<Export | undefined> {
    const { rows } = await sql<Selectable<ExportsTable>>`
      with writing as materialized (
        select account_id, count(*) as exports from exports
        where state = 'running' and leased_until > now() group by account_id
      )
      update exports set state = 'running', attempt = attempt + 1, leased_until = ${fromNow(leaseMs)},
        started_at = coalesce(started_at, now()), events = 0, bytes = 0, reached_at = null,
        storages = array_remove(storages, ${storage}::text) || ${storage}::text
      where id = (
        select e.id from exports e left join writing w on w.account_id = e.account_id
        where e.state in ('pending', 'running') and (e.leased_until is null or e.leased_until <= now())
          and (e.horizon <= pg_snapshot_xmin(pg_current_snapshot()) or e.created_at <= ${fromNow(-LONGEST_WAIT_MS)})
          and not (e.is_large and ${smallOnly}::boolean)
          and (e.destination_id is null or not exists (
            select from fan_out_parts p where p.event_id < e.before_id and p.account_id = e.account_id
          ))
        order by coalesce(w.exports, 0), e.created_at, e.id limit 1
        for update of e skip locked
      )
      returning *`.execute(this.db);
    return rows[0] && toExport(rows[0]);
  }

  /** Extends the lease of an attempt, with its progress. Returns whether the attempt may continue. */
  async renew(attempt: ExportAttempt, progress: ExportProgress, leaseMs: number): Promise<boolean> {
    return this.changed(this.running(attempt).set({ ...progress, leased_until: fromNow(leaseMs) }));
  }

  /** Ends the lease of an attempt, so that the next one begins after this time. */
  async release(attempt: ExportAttempt, afterMs: number): Promise<void> {
    await this.running(attempt)
      .set({ leased_until: fromNow(afterMs) })
      .execute();
  }

  /** Ends the lease of an attempt that has found the export to be large, so that the next one begins at once. */
  async releaseLarge(attempt: ExportAttempt): Promise<void> {
    await this.running(attempt)
      .set({ leased_until: sql<Date>`now()`, is_large: true })
      .execute();
  }

  /** Records that the file of an attempt is complete. Returns false when the attempt has lost the export. */
  async complete(attempt: ExportAttempt, manifest: ExportManifest, keptMs: number): Promise<boolean> {
    return this.changed(
      this.running(attempt).set({
        state: 'completed',
        manifest: JSON.stringify(manifest),
        events: manifest.count,
        bytes: manifest.file.bytes,
        reached_at: new Date(manifest.time_range.last),
        finished_at: sql<Date>`now()`,
        expires_at: fromNow(keptMs),
      }),
    );
  }

  /**
   * Discards the files of the account's exports, which may hold events that are erased now. An export that is being
   * written begins anew. None begins before the end of the transaction: it would still read those events.
   */
  async discard(accountId: string): Promise<void> {
    const message = 'Events that the file may have held were erased. Create the export again.';
    await sql`
      update exports set
        state = case state when 'completed' then 'failed' else 'pending' end,
        error_code = case state when 'completed' then 'events_erased' end,
        error_message = case state when 'completed' then ${message} end,
        leased_until = null
      where account_id = ${accountId} and state in ('completed', 'pending', 'running')
        and files_removed_at is null`.execute(this.db);
  }

  /** Records why an export cannot be written. Returns false when the attempt has lost the export. */
  async fail(attempt: ExportAttempt, { code, message }: ExportError): Promise<boolean> {
    return this.changed(
      this.running(attempt).set({
        state: 'failed',
        error_code: code,
        error_message: message,
        finished_at: sql<Date>`now()`,
      }),
    );
  }

  /** Ends the exports whose time has come, and marks since when files are complete. Returns their number. */
  async expire(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      with expired as (
        update exports set state = 'expired'
        where state = 'completed' and files_removed_at is null and expires_at <= now()
        returning finished_at
      ),
      marked as (${markRemoved('exports', 'expired', 'finished_at')})
      select count(*)::int as count from expired`.execute(this.db);
    return rows[0]?.count ?? 0;
  }

  /** Returns some exports whose files are to be removed: nothing needs them, and no process writes one. */
  async withoutUse(): Promise<readonly Export[]> {
    const isWithoutUse = sql<boolean>`files_removed_at is null
      and (state in ('failed', 'cancelled', 'expired') or deleted_at is not null)`;
    return this.toCleanUp(isWithoutUse, 'id');
  }

  /** Lets the next removal of the files of an export wait, after one that failed: it holds up no other. */
  async removeLater(id: string): Promise<void> {
    await this.db
      .updateTable('exports')
      .set({ leased_until: fromNow(REMOVED_AGAIN_MS) })
      .where('id', '=', id)
      .execute();
  }

  /** Records that the files of an export are removed. */
  async filesRemoved(id: string): Promise<void> {
    await this.db
      .updateTable('exports')
      .set({ files_removed_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute();
  }

  /** Returns some exports whose files were removed `keptMs` ago, or that were deleted a day ago. */
  async ended(keptMs: number): Promise<readonly Export[]> {
    const hasEnded = sql<boolean>`files_removed_at is not null
      and (files_removed_at <= ${fromNow(-keptMs)} or deleted_at <= now() - interval '1 day')`;
    return this.toCleanUp(hasEnded, 'finished_at');
  }

  /** Forgets an export. */
  async forget(id: string): Promise<void> {
    await this.db.deleteFrom('exports').where('id', '=', id).execute();
  }

  /** Returns the first of these exports that no process writes, and whose removal need not wait. */
  private async toCleanUp(which: RawBuilder<boolean>, order: 'id' | 'finished_at'): Promise<readonly Export[]> {
    const rows = await this.db
      .selectFrom('exports')
      .selectAll()
      .where(which)
      .where(sql<boolean>`coalesce(leased_until <= now(), true)`)
      .orderBy(order)
      .limit(CLEANED_AT_ONCE)
      .execute();
    return rows.map(toExport);
  }

  /** The update of an export that an attempt still has: a later one, a cancellation or a deletion takes it away. */
  private running({ id, attempt }: ExportAttempt) {
    return this.db
      .updateTable('exports')
      .where('id', '=', id)
      .where('attempt', '=', attempt)
      .where('state', '=', 'running');
  }

  private async changed(update: {
    executeTakeFirst(): Promise<{ readonly numUpdatedRows: bigint }>;
  }): Promise<boolean> {
    return (await update.executeTakeFirst()).numUpdatedRows === 1n;
  }
}
