import { sql, type Selectable } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database } from '../../database/database.js';
import { markRemoved } from '../../database/retention-marks.js';
import type { ExportsTable } from '../../database/tables.js';
import { toExport } from '../export-row.js';
import type { Export, ExportAttempt, ExportError, ExportManifest, ExportProgress } from '../export.js';

/**
 * Longest that an export waits for the transactions that ran when it was created, in milliseconds. Those of Waybill end
 * within a minute or so; one of another database of the server may stay open for days.
 */
const LONGEST_WAIT_MS = 300_000;

/** Most exports that one turn cleans up. */
const CLEANED_AT_ONCE = 100;

/** Every query of the processes that write and remove the files of exports. */
export class ExportWorkStore {
  constructor(private readonly db: Database) {}

  /**
   * Begins the next attempt at the oldest export that no other process writes, and leases it. An export may begin when
   * every transaction has ended that ran at its creation: then no event can appear between those that it reads.
   * @returns the export, or undefined
   */
  async claim(leaseMs: number): Promise<Export | undefined> {
    const { rows } = await sql<Selectable<ExportsTable>>`
      update exports set state = 'running', attempt = attempt + 1, leased_until = ${fromNow(leaseMs)},
        started_at = coalesce(started_at, now()), events = 0, bytes = 0, reached_at = null
      where id = (
        select id from exports
        where state in ('pending', 'running') and (leased_until is null or leased_until <= now())
          and (horizon <= pg_snapshot_xmin(pg_current_snapshot()) or created_at <= ${fromNow(-LONGEST_WAIT_MS)})
        order by created_at, id limit 1
        for update skip locked
      )
      returning *`.execute(this.db);
    return rows[0] && toExport(rows[0]);
  }

  /** Extends the lease of an attempt, with its progress. Returns whether the attempt may continue. */
  async renew(attempt: ExportAttempt, { events, bytes, reachedAt }: ExportProgress, leaseMs: number): Promise<boolean> {
    return this.changed(
      this.running(attempt).set({ events, bytes, reached_at: reachedAt, leased_until: fromNow(leaseMs) }),
    );
  }

  /** Ends the lease of an attempt, so that the next one begins after this time. */
  async release(attempt: ExportAttempt, afterMs: number): Promise<void> {
    await this.running(attempt)
      .set({ leased_until: fromNow(afterMs) })
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
    const rows = await this.db
      .selectFrom('exports')
      .selectAll()
      .where('files_removed_at', 'is', null)
      .where(sql<boolean>`(state in ('failed', 'cancelled', 'expired') or deleted_at is not null)`)
      .where(sql<boolean>`coalesce(leased_until <= now(), true)`)
      .orderBy('id')
      .limit(CLEANED_AT_ONCE)
      .execute();
    return rows.map(toExport);
  }

  /** Records that the files of an export are removed. */
  async filesRemoved(id: string): Promise<void> {
    await this.db
      .updateTable('exports')
      .set({ files_removed_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute();
  }

  /** Returns some exports without files that ended `keptMs` ago, or were deleted a day ago. */
  async ended(keptMs: number): Promise<readonly Export[]> {
    const rows = await this.db
      .selectFrom('exports')
      .selectAll()
      .where('files_removed_at', 'is not', null)
      .where(sql<boolean>`(finished_at <= ${fromNow(-keptMs)} or deleted_at <= now() - interval '1 day')`)
      .orderBy('finished_at')
      .limit(CLEANED_AT_ONCE)
      .execute();
    return rows.map(toExport);
  }

  /** Forgets an export. */
  async forget(id: string): Promise<void> {
    await this.db.deleteFrom('exports').where('id', '=', id).execute();
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
