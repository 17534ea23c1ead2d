import { sql } from 'kysely';
import type { Database } from '../../../database/database.js';
import type { Attributes } from '../definition/definition.js';
import { isLive } from './resource-store.js';

/** A resource that refers to another one. */
export interface Referrer {
  readonly id: string;
  readonly kind: string;
  readonly parentId: string | null;
  /** The fields that hold the id of the other one. Null: the other one is its parent. */
  readonly roles: readonly string[] | null;
}

/** A part of the resources that refer to another one. */
export interface ReferrerPage {
  readonly accountId: string;
  /** Id of the resource that is referred to. */
  readonly toId: string;
  readonly limit: number;
  /** Only referrers with lower ids. */
  readonly beforeId: string | undefined;
}

/** Of the resources of a kind, only those whose attributes contain these are shown. */
export interface Restriction {
  readonly kind: string;
  readonly containing: Attributes;
}

/** Reads which resources refer to a resource. Both queries read about as many rows as they return. */
export class ReferenceStore {
  constructor(private readonly db: Database) {}

  /** Returns the resources with a link to this one, by id, descending. */
  linked(
    { accountId, toId, limit, beforeId }: ReferrerPage,
    restrictions: readonly Restriction[] = [],
  ): Promise<readonly Referrer[]> {
    let query = this.db
      .selectFrom('resource_links')
      .innerJoin('resources', 'resources.id', 'resource_links.from_id')
      .select([
        'resource_links.from_id as id',
        'resources.kind',
        'resources.parent_id as parentId',
        sql<readonly string[]>`array_agg(distinct ${sql.ref('resource_links.role')})`.as('roles'),
      ])
      .where('resource_links.to_id', '=', toId)
      .where('resources.account_id', '=', accountId)
      .where(isLive)
      .groupBy(['resource_links.from_id', 'resources.id'])
      .orderBy('resource_links.from_id', 'desc')
      .limit(limit);
    for (const restriction of restrictions) query = query.where(isShown(restriction));
    if (beforeId !== undefined) query = query.where('resource_links.from_id', '<', beforeId);
    return query.execute();
  }

  /** Returns the children of this resource, by id, descending. */
  children(
    { accountId, toId, limit, beforeId }: ReferrerPage,
    restrictions: readonly Restriction[] = [],
  ): Promise<readonly Referrer[]> {
    let query = this.db
      .selectFrom('resources')
      .select(['id', 'kind', 'parent_id as parentId', sql<null>`null`.as('roles')])
      .where('parent_id', '=', toId)
      .where('account_id', '=', accountId)
      .where(isLive)
      .orderBy('id', 'desc')
      .limit(limit);
    for (const restriction of restrictions) query = query.where(isShown(restriction));
    if (beforeId !== undefined) query = query.where('id', '<', beforeId);
    return query.execute();
  }
}

function isShown({ kind, containing }: Restriction) {
  return sql<boolean>`(resources.kind <> ${kind} or resources.attributes @> ${JSON.stringify(containing)}::jsonb)`;
}
