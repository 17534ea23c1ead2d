import { sql, type Selectable } from 'kysely';
import type { Database, Transaction } from '../database/database.js';
import type { ExportState, ExportsTable } from '../database/tables.js';
import { idBound } from '../ids/id-time.js';
import { newId } from '../ids/id.js';
import { tokenOf } from '../lifecycle/provide.js';
import { toExport, type Export, type NewExport } from './export.js';

const underWay: readonly ExportState[] = ['pending', 'running'];

/** How many exports an account may have, and how large. */
export interface ExportLimits {
  /** Most that are under way at once. */
  readonly underWay: number;
  /** Most whose files are stored, with those under way. */
  readonly files: number;
  /** Most bytes of these files: with as many, no further export is created. */
  readonly bytes: number;
}

/** The injection token of the limits. */
export const EXPORT_LIMITS = tokenOf<ExportLimits>('ExportLimits');

/** Which limit an account has reached. */
export type ReachedLimit = keyof ExportLimits;

/** Every query of the API on `exports`. `ExportWorkStore` has those of the processes that write the files. */
export class ExportStore {
  constructor(private readonly db: Database) {}

  /**
   * Creates an export of what is committed now, unless the account has reached a limit.
   * @param created is called in the transaction
   * @returns the export, or the limit
   */
  async create(
    request: NewExport,
    limits: ExportLimits,
    created: (trx: Transaction, one: Export) => Promise<void>,
  ): Promise<Export | ReachedLimit> {
    const { account_id: accountId } = request;
    return this.db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`exports of ${accountId}`}, 0))`.execute(trx);
      const reached = await reachedLimit(trx, accountId, limits);
      if (reached !== null) return reached;
      // Events that are being recorded, and have an id, have one of this moment or a lower one.
      const now = idBound('evt', new Date(Date.now() + 1));
      const { rows } = await sql<Selectable<ExportsTable>>`
        insert into exports (id, account_id, format, filter, destination_id, principal_id, credential_id, operation_id,
          complete_since, before_id, horizon)
        select ${newId('exp')}, ${accountId}, ${request.format}, ${JSON.stringify(request.filter)}::jsonb,
          ${request.destination_id}, ${request.principal_id}, ${request.credential_id}, ${request.operation_id},
          ${request.complete_since}::timestamptz,
          greatest(
            ${now}::text collate "C",
            (select id || '~' from events where account_id = ${accountId} order by id desc limit 1)
          ),
          pg_current_xact_id()
        returning *`.execute(trx);
      const [row] = rows;
      if (!row) throw new Error('The insert of an export returned no row.');
      const one = toExport(row);
      await created(trx, one);
      return one;
    });
  }

  /** Returns an export of the account, or undefined. */
  async find(accountId: string, id: string): Promise<Export | undefined> {
    const row = await this.shown(accountId).where('id', '=', id).executeTakeFirst();
    return row && toExport(row);
  }

  /** Returns at most `limit` exports of the account older than `beforeId`, newest first. */
  async page(accountId: string, limit: number, beforeId: string | undefined): Promise<readonly Export[]> {
    const newest = this.shown(accountId).orderBy('id', 'desc').limit(limit);
    const rows = await (beforeId === undefined ? newest : newest.where('id', '<', beforeId)).execute();
    return rows.map(toExport);
  }

  /** Cancels an export that is under way. Returns the export as it is then, or undefined. */
  async cancel(accountId: string, id: string): Promise<Export | undefined> {
    await this.db
      .updateTable('exports')
      .set({ state: 'cancelled', finished_at: sql<Date>`now()` })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where('state', 'in', underWay)
      .execute();
    return this.find(accountId, id);
  }

  /** Deletes an export, and cancels it if it is under way. Returns whether there was one. */
  async delete(accountId: string, id: string): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('exports')
      .set({
        deleted_at: sql<Date>`now()`,
        state: sql<ExportState>`case when state in ('pending', 'running') then 'cancelled' else state end`,
        finished_at: sql<Date>`coalesce(finished_at, now())`,
      })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  private shown(accountId: string) {
    return this.db
      .selectFrom('exports')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null);
  }
}

/** Returns the first limit that an account has reached; null when it has reached none. */
async function reachedLimit(trx: Transaction, accountId: string, limits: ExportLimits): Promise<ReachedLimit | null> {
  const { rows } = await sql<{ readonly [limit in ReachedLimit]: number }>`
    select count(*) filter (where state <> 'completed')::int as "underWay", count(*)::int as files,
      coalesce(sum(bytes), 0)::float8 as bytes
    from exports
    where account_id = ${accountId} and deleted_at is null and (
      state in ('pending', 'running') or state = 'completed' and expires_at > now()
    )`.execute(trx);
  const [used] = rows;
  const order: readonly ReachedLimit[] = ['underWay', 'files', 'bytes'];
  return order.find((limit) => used !== undefined && used[limit] >= limits[limit]) ?? null;
}
