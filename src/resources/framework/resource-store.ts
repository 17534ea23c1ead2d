import { sql, type Selectable } from 'kysely';
import type { Database, Transaction } from '../../database/database.js';
import type { ResourcesTable } from '../../database/tables.js';
import type { Attributes, ResourceRow } from './definition.js';
import type { Link } from './links.js';
import { insertLinks } from './resource-statements.js';

/** The resources of an account that an operation can access. */
export interface Scope {
  readonly accountId: string;
  readonly kind: string;
  /** Only children of this resource; null: no condition. */
  readonly parentId: string | null;
  /** Only resources whose attributes contain these; null: no condition. */
  readonly containing: Attributes | null;
}

function toRow(row: Selectable<ResourcesTable>): ResourceRow {
  return {
    id: row.id,
    accountId: row.account_id,
    parentId: row.parent_id,
    leaseId: row.lease_id,
    attributes: row.attributes,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Whether a resource is visible: it has no lease, or its lease has not expired. */
export const isLive = sql<boolean>`(resources.lease_id is null or exists (
  select from leases where leases.id = resources.lease_id and leases.expires_at > now()))`;

function inScope(db: Database, { accountId, kind, parentId, containing }: Scope) {
  const query = db
    .selectFrom('resources')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where(isLive);
  const inParent = parentId === null ? query : query.where('parent_id', '=', parentId);
  return containing === null
    ? inParent
    : inParent.where(sql<boolean>`attributes @> ${JSON.stringify(containing)}::jsonb`);
}

/** Every query on `resources` and `resource_links`. */
export class ResourceStore<Db extends Database = Database> {
  constructor(private readonly db: Db) {}

  /** Returns one resource, or undefined. */
  async find(scope: Scope, id: string): Promise<ResourceRow | undefined> {
    const row = await inScope(this.db, scope).where('id', '=', id).executeTakeFirst();
    return row && toRow(row);
  }

  /**
   * Returns one resource, locked until the transaction ends, or undefined. The lock of an update allows concurrent
   * links to the resource; the lock of a deletion does not.
   */
  async lock(
    this: ResourceStore<Transaction>,
    scope: Scope,
    id: string,
    purpose: 'update' | 'deletion',
  ): Promise<ResourceRow | undefined> {
    const query = inScope(this.db, scope).where('id', '=', id);
    const row = await (purpose === 'update' ? query.forNoKeyUpdate() : query.forUpdate()).executeTakeFirst();
    return row && toRow(row);
  }

  /** Returns at most `limit` resources older than `beforeId`, newest first. */
  async page(
    scope: Scope,
    { limit, beforeId }: { limit: number; beforeId: string | undefined },
  ): Promise<readonly ResourceRow[]> {
    const query = inScope(this.db, scope).orderBy('id', 'desc').limit(limit);
    const rows = await (beforeId === undefined ? query : query.where('id', '<', beforeId)).execute();
    return rows.map(toRow);
  }

  /** Replaces the links of a locked resource. */
  async replaceLinks(this: ResourceStore<Transaction>, id: string, links: readonly Link[]): Promise<void> {
    await this.db.deleteFrom('resource_links').where('from_id', '=', id).execute();
    if (links.length > 0) await insertLinks(id, links).execute(this.db);
  }

  /** Returns the children of a resource of one kind, oldest first. */
  async children(parentId: string, kind: string): Promise<readonly ResourceRow[]> {
    return (await within(this.db, parentId, kind).execute()).map(toRow);
  }

  /** As `children`, locked until the transaction ends. */
  async lockChildren(
    this: ResourceStore<Transaction>,
    parentId: string,
    kind: string,
  ): Promise<readonly ResourceRow[]> {
    return (await within(this.db, parentId, kind).forUpdate().execute()).map(toRow);
  }

  /** Returns the ids of at most 100 resources that reference this one. */
  async referrers(this: ResourceStore<Transaction>, id: string): Promise<readonly string[]> {
    const rows = await this.db
      .selectFrom('resource_links')
      .select('from_id')
      .distinct()
      .where('to_id', '=', id)
      .orderBy('from_id')
      .limit(100)
      .execute();
    return rows.map(({ from_id }) => from_id);
  }

  /**
   * Returns the kind of each of these resources that exists in the account, by id. Locks the resources against deletion
   * until the transaction ends, so that new links to them stay valid.
   */
  async kindsOf(
    this: ResourceStore<Transaction>,
    accountId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.db
      .selectFrom('resources')
      .select(['id', 'kind'])
      .where('account_id', '=', accountId)
      .where('id', '=', sql<string>`any(${ids})`)
      .where(isLive)
      .orderBy('id')
      .forKeyShare()
      .execute();
    return new Map(rows.map(({ id, kind }) => [id, kind]));
  }
}

function within(db: Database, parentId: string, kind: string) {
  return db
    .selectFrom('resources')
    .selectAll()
    .where('parent_id', '=', parentId)
    .where('kind', '=', kind)
    .where(isLive)
    .orderBy('id');
}
