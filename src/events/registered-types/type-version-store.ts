import { sql } from 'kysely';
import type { Transaction } from '../../database/database.js';
import { eventNameOf } from './event-type-name.js';
import type { TypeDefinition } from './registered-type-store.js';

/** A version of a resource type, as it is written. */
export interface WrittenVersion {
  readonly accountId: string;
  readonly typeId: string;
  readonly version: number;
  /** Version of the resource that is being written. */
  readonly revision: number;
  readonly definition: TypeDefinition;
}

/** Writes what the events of resource types depend on. The rows go with the resource. */
export class TypeVersionStore {
  constructor(private readonly trx: Transaction) {}

  /**
   * Writes a version and takes the names of its events.
   * @returns the names that other types of the account have; if there are any, do not commit
   */
  async write({ accountId, typeId, version, revision, definition }: WrittenVersion): Promise<readonly string[]> {
    await sql`
      insert into registered_type_versions (type_id, version, revision, definition)
      values (${typeId}, ${version}, ${revision}, ${JSON.stringify(definition)})
      on conflict (type_id, version) do update
      set revision = excluded.revision, definition = excluded.definition`.execute(this.trx);
    // In one order, so that two transactions never wait for each other.
    const actions = definition.actions.toSorted();
    const names = actions.map((action) => eventNameOf(definition.name, action));
    await sql`
      insert into registered_event_names (account_id, event_name, type_id, action)
      select ${accountId}, event_name, ${typeId}, action from unnest(${names}::text[], ${actions}::text[]) as n (event_name, action)
      on conflict do nothing`.execute(this.trx);
    const { rows } = await sql<{ name: string }>`
      select event_name as name from registered_event_names
      where account_id = ${accountId} and event_name = any(${names}::text[]) and type_id <> ${typeId}
      order by event_name`.execute(this.trx);
    return rows.map(({ name }) => name);
  }
}
