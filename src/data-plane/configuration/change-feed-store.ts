import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../database/database.js';
import { withinBytes, type BoundedRow } from '../../database/page-bytes.js';
import type { ResourceRow } from '../../resources/framework/definition/definition.js';
import { isLive, resourceSize } from '../../resources/framework/store/resource-store.js';

/** A change of the configuration. */
export interface ChangeRow {
  readonly id: string;
  readonly accountId: string;
  readonly kind: string;
  /** Id of the transaction that changed the resource last. */
  readonly transaction: string;
  /** The resource as it is now; null after its deletion. */
  readonly row: ResourceRow | null;
}

/** Resources of a page. */
export interface ConfigurationRows {
  readonly rows: readonly ResourceRow[];
  /** Their bytes, about. */
  readonly bytes: number;
  /** Whether there may be more resources than these. */
  readonly more: boolean;
}

/** Changes of a page. */
export interface ChangeRows {
  readonly changes: readonly ChangeRow[];
  /** Whether there may be more changes now. */
  readonly more: boolean;
}

/** A position between two changes. */
export interface FeedPosition {
  readonly transaction: string;
  /** The last resource of this transaction before the position; empty: none. */
  readonly resourceId: string;
  /** Only changes of this account; null: of all. */
  readonly accountId: string | null;
}

/** What one transaction sees of the feed. */
export interface FeedState {
  /** The epoch of the installation. */
  readonly epoch: number;
  /**
   * The oldest transaction in progress: every older one is visible, and every change to come is of this one or later.
   */
  readonly oldestInProgress: string;
  /** Deletions before this transaction may have been forgotten. */
  readonly horizon: string;
}

/** How long deletions are remembered, and most deletions that one step forgets. */
const REMEMBERED = sql`interval '7 days'`;
const FORGET_LIMIT = 1_000;

/** The bytes of a resource `bounded` with its secrets. */
const sizeWithSecrets = sql`${resourceSize} + coalesce(
  (select sum(octet_length(ciphertext)) from secrets where resource_id = bounded.id), 0)`;

/** The horizon, without one that was written in another cluster before a restore: no cursor is from there. */
const horizonHere = sql`(case when tx <= pg_snapshot_xmax(pg_current_snapshot()) then tx else '0'::xid8 end)`;

/** Queries on `configuration_changes`, which triggers of `resources` write. */
export class ChangeFeedStore {
  constructor(private readonly db: Database) {}

  /** Returns the state of the feed. */
  async state(): Promise<FeedState> {
    const { rows } = await sql<FeedState>`
      select (select epoch from installation) as epoch,
        pg_snapshot_xmin(pg_current_snapshot())::text as "oldestInProgress",
        (select ${horizonHere}::text from configuration_horizon) as horizon`.execute(this.db);
    const [state] = rows;
    if (!state) throw new Error('The state of the configuration feed was not returned.');
    return state;
  }

  /** Whether an account exists. */
  async hasAccount(id: string): Promise<boolean> {
    const found = await this.db.selectFrom('accounts').select('id').where('id', '=', id).executeTakeFirst();
    return found !== undefined;
  }

  /**
   * Returns at most `limit` resources with ids of this prefix after `afterId`, in the order of their ids, up to the one
   * that reaches so many bytes.
   * @param accountId null: of all accounts
   */
  async resources(
    prefix: string,
    {
      afterId,
      accountId,
      limit,
      bytes,
    }: { readonly afterId: string; readonly accountId: string | null; readonly limit: number; readonly bytes: number },
  ): Promise<ConfigurationRows> {
    let query = this.db
      .selectFrom('resources')
      .selectAll()
      .where('id', '>', afterId > `${prefix}_` ? afterId : `${prefix}_`)
      // The character after the underscore: the index of the ids has their bytes in order.
      .where('id', '<', `${prefix}\``)
      .where(isLive)
      .orderBy('id')
      .limit(limit + 1);
    if (accountId !== null) query = query.where('account_id', '=', accountId);
    const { rows } = await sql<ResourceRow & BoundedRow>`
      select * from ${withinBytes(query, { size: sizeWithSecrets, order: sql`bounded.id`, bytes })} page
      order by id`.execute(this.db);
    const last = rows.at(-1);
    return {
      rows: rows.slice(0, limit),
      bytes: last?.bytes ?? 0,
      more: rows.length > limit || (last !== undefined && last.bytes >= bytes),
    };
  }

  /**
   * Returns at most `limit` changes after a position, in the order of their transactions, up to the resource that
   * reaches so many bytes. Changes of transactions that are as young as one in progress are left out until later: a
   * transaction that commits late is never passed.
   */
  async changes(after: FeedPosition, limit: number, bytes: number): Promise<ChangeRows> {
    const changed = await this.db
      .selectFrom('configuration_changes as change')
      .select([
        'change.resource_id',
        'change.account_id',
        'change.kind',
        sql<string>`change.tx::text`.as('transaction'),
      ])
      .where(visibleAfter(after))
      .orderBy('change.tx')
      .orderBy('change.resource_id')
      .limit(limit)
      .execute();
    const ids = changed.map(({ resource_id }) => resource_id);
    const present = sql<ResourceRow & { readonly position: number }>`(
        select resources.*, wanted.position from unnest(${ids}::text[]) with ordinality as wanted (id, position)
        join resources on resources.id = wanted.id and ${isLive}
      )`;
    const sizes = { size: sizeWithSecrets, order: sql`bounded.position`, bytes };
    const { rows } = await sql<ResourceRow & BoundedRow & { readonly position: number }>`
      select * from ${withinBytes(present, sizes)} page order by position`.execute(this.db);
    const last = rows.at(-1);
    const read = last && last.bytes >= bytes ? changed.slice(0, last.position) : changed;
    const byId = new Map(rows.map((row) => [row.id, row]));
    const changes = read.map(({ resource_id: id, account_id: accountId, kind, transaction }) => ({
      id,
      accountId,
      kind,
      transaction,
      row: byId.get(id) ?? null,
    }));
    return { changes, more: read.length < changed.length || changed.length >= limit };
  }

  /** Whether there is a change after a position. */
  async hasChanges(after: FeedPosition): Promise<boolean> {
    const found = await this.db
      .selectFrom('configuration_changes as change')
      .select('change.resource_id')
      .where(visibleAfter(after))
      .orderBy('change.tx')
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  }

  /** Forgets deletions of more than a week ago, some at a time. Returns whether more of them may remain. */
  async forgetDeletions(): Promise<boolean> {
    const { rows } = await sql<{ forgotten: number }>`
      with forgotten as (
        delete from configuration_changes where resource_id = any(array(
          select resource_id from configuration_changes where deleted_at < now() - ${REMEMBERED}
          order by deleted_at limit ${FORGET_LIMIT} for update skip locked
        )) returning tx
      ), horizon as (
        update configuration_horizon set tx = greatest(${horizonHere}, (
          select (max(tx)::text::numeric + 1)::text::xid8 from forgotten
          where tx < pg_snapshot_xmax(pg_current_snapshot())
        ))
        where exists (select from forgotten)
      )
      select count(*) as forgotten from forgotten`.execute(this.db);
    return (rows[0]?.forgotten ?? 0) >= FORGET_LIMIT;
  }
}

function visibleAfter({ transaction, resourceId, accountId }: FeedPosition): RawBuilder<boolean> {
  const ofAccount = accountId === null ? sql`` : sql`and change.account_id = ${accountId}`;
  return sql<boolean>`(change.tx, change.resource_id) > (${transaction}::xid8, ${resourceId})
    and change.tx < pg_snapshot_xmin(pg_current_snapshot()) ${ofAccount}`;
}
