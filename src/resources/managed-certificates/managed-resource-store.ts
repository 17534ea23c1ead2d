import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import type { ResourceRow } from '../framework/definition/definition.js';

const dueAt = sql<string>`attributes #>> '{provisioning,due_at}' collate "C"`;
/** The condition of the index `resources_by_provisioning_due`. */
const scheduled = sql<boolean>`kind in ('reserved_domain', 'agent_ingress')
  and attributes #>> '{provisioning,due_at}' is not null`;

/** Queries on managed resources across accounts: checks and the data plane know their ids only. */
export class ManagedResourceStore {
  constructor(private readonly db: Database) {}

  /** Lists the ids of the resources whose checks were due before a time, the earliest first. */
  async listDue(before: Date, limit: number): Promise<readonly string[]> {
    const rows = await this.db
      .selectFrom('resources')
      .select('id')
      .where(scheduled)
      .where(dueAt, '<', before.toISOString())
      .orderBy(dueAt)
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Finds a reserved domain or agent ingress. */
  find(id: string): Promise<ResourceRow | undefined> {
    return this.db
      .selectFrom('resources')
      .selectAll()
      .where('id', '=', id)
      .where('kind', 'in', ['reserved_domain', 'agent_ingress'])
      .executeTakeFirst();
  }
}
