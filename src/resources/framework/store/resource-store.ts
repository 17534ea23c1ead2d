import { sql } from 'kysely';
import type { Database, Transaction } from '../../../database/database.js';
import { PAGE_BYTES, stoppedAt, withinBytes, type BoundedRow } from '../../../database/page-bytes.js';
import type { Attributes, ResourceRow } from '../definition/definition.js';
import type { Link } from '../definition/links.js';
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

/** A page of a list. */
export interface PageRequest {
  readonly limit: number;
  readonly beforeId: string | undefined;
  /** The values of each filter that the client gave. A resource must have one of the values of each. */
  readonly filtering: Readonly<Record<string, readonly string[]>>;
}

/** Resources of a page. */
export interface ResourcePage {
  readonly rows: readonly ResourceRow[];
  /** The last one before those that would exceed the page; null where none would. */
  readonly resumeAt: string | null;
}

/** The bytes of a resource `bounded`. Its stored size says less: attributes are compressed. */
export const resourceSize = sql`octet_length(bounded.attributes::text)`;

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
  find(scope: Scope, id: string): Promise<ResourceRow | undefined> {
    return inScope(this.db, scope).where('id', '=', id).executeTakeFirst();
  }

  /**
   * Returns one resource, locked until the transaction ends, or undefined. The lock of an update allows concurrent
   * links to the resource; the lock of a deletion does not.
   */
  lock(
    this: ResourceStore<Transaction>,
    scope: Scope,
    id: string,
    purpose: 'update' | 'deletion',
  ): Promise<ResourceRow | undefined> {
    const query = inScope(this.db, scope).where('id', '=', id);
    return (purpose === 'update' ? query.forNoKeyUpdate() : query.forUpdate()).executeTakeFirst();
  }

  /**
   * Returns at most `limit` resources older than `beforeId` that match the filters, newest first, up to the one that
   * reaches the bytes of a page.
   */
  async page(scope: Scope, { limit, beforeId, filtering }: PageRequest): Promise<ResourcePage> {
    let query = inScope(this.db, scope).orderBy('id', 'desc').limit(limit);
    if (beforeId !== undefined) query = query.where('id', '<', beforeId);
    for (const [name, values] of Object.entries(filtering)) {
      const compared = name === 'id' ? sql.ref('id') : sql`attributes ->> ${sql.lit(name)}`;
      query = query.where(sql<boolean>`${compared} = any(${values})`);
    }
    const sizes = { size: resourceSize, order: sql`bounded.id desc`, bytes: PAGE_BYTES };
    const { rows } = await sql<ResourceRow & BoundedRow>`
      select * from ${withinBytes(query, sizes)} page order by id desc`.execute(this.db);
    return { rows, resumeAt: stoppedAt(rows, PAGE_BYTES) };
  }

  /** Returns the ids of at most `limit` resources behind `afterId`, in order. */
  async idsBehind(scope: Scope, afterId: string, limit: number): Promise<readonly string[]> {
    const rows = await inScope(this.db, scope)
      .clearSelect()
      .select('id')
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Returns the number of resources. */
  async count(scope: Scope): Promise<number> {
    const query = inScope(this.db, scope)
      .clearSelect()
      .select((counted) => counted.fn.countAll<number>().as('count'));
    return (await query.executeTakeFirstOrThrow()).count;
  }

  /**
   * Returns those of these resources that exist, by id, locked against changes until the transaction ends.
   * @param wait whether to wait for other transactions, or to leave out the resources that they have locked
   */
  async lockUnchanged(
    this: ResourceStore<Transaction>,
    scope: Scope,
    ids: readonly string[],
    wait: boolean,
  ): Promise<ReadonlyMap<string, ResourceRow>> {
    const query = inScope(this.db, scope)
      .where('id', '=', sql<string>`any(${ids}::text[])`)
      .orderBy('id')
      .forShare();
    const rows = await (wait ? query : query.skipLocked()).execute();
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Replaces the links of a locked resource. */
  async replaceLinks(this: ResourceStore<Transaction>, id: string, links: readonly Link[]): Promise<void> {
    await this.db.deleteFrom('resource_links').where('from_id', '=', id).execute();
    if (links.length > 0) await insertLinks(id, links).execute(this.db);
  }

  /** Returns the children of a resource of one kind, oldest first. */
  children(parentId: string, kind: string): Promise<readonly ResourceRow[]> {
    return childrenOf(this.db, parentId, kind).execute();
  }

  /** Locks the children of a resource of one kind until the transaction ends. Returns their ids, oldest first. */
  async lockChildren(this: ResourceStore<Transaction>, parentId: string, kind: string): Promise<readonly string[]> {
    const rows = await childrenOf(this.db, parentId, kind).clearSelect().select('id').forUpdate().execute();
    return rows.map(({ id }) => id);
  }

  /** Returns the resources with these ids, which the transaction has locked, oldest first. */
  locked(this: ResourceStore<Transaction>, ids: readonly string[]): Promise<readonly ResourceRow[]> {
    const query = this.db
      .selectFrom('resources')
      .selectAll()
      .where('id', '=', sql<string>`any(${ids}::text[])`);
    return query.orderBy('id').execute();
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

function childrenOf(db: Database, parentId: string, kind: string) {
  return db
    .selectFrom('resources')
    .selectAll()
    .where('parent_id', '=', parentId)
    .where('kind', '=', kind)
    .where(isLive)
    .orderBy('id');
}
