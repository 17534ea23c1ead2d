import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import type { Attributes } from '../framework/definition.js';

const dueAt = sql<string>`attributes #>> '{provisioning,due_at}' collate "C"`;
/** The condition of the index `resources_by_provisioning_due`. */
const scheduled = sql<boolean>`kind in ('reserved_domain', 'agent_ingress')
  and attributes #>> '{provisioning,due_at}' is not null`;

/** A managed resource of any account. */
export interface HolderRow {
  readonly id: string;
  readonly accountId: string;
  readonly kind: string;
  readonly attributes: Attributes;
}

/** Queries on managed resources across accounts: jobs and the data plane know them by their ids. */
export class HolderStore {
  constructor(private readonly db: Database) {}

  /** Ids of those that are due, and since when, the earliest first. */
  due(before: Date, limit: number): Promise<readonly { readonly id: string; readonly dueAt: string }[]> {
    return this.db
      .selectFrom('resources')
      .select(['id', dueAt.as('dueAt')])
      .where(scheduled)
      .where(dueAt, '<', before.toISOString())
      .orderBy(dueAt)
      .limit(limit)
      .execute();
  }

  /** One of them, or undefined. */
  find(id: string): Promise<HolderRow | undefined> {
    return this.db
      .selectFrom('resources')
      .select(['id', 'account_id as accountId', 'kind', 'attributes'])
      .where('id', '=', id)
      .where('kind', 'in', ['reserved_domain', 'agent_ingress'])
      .executeTakeFirst();
  }
}
