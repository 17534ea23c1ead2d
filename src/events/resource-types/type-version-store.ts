import { sql } from 'kysely';
import type { Transaction } from '../../database/database.js';
import { eventNameOf, partsOf } from './event-type-name.js';
import type { TypeDefinition } from './resource-type-store.js';

/** A version of a resource type, as it is written. */
export interface WrittenVersion {
  readonly accountId: string;
  readonly typeId: string;
  readonly version: number;
  /** Version of the resource that is being written. */
  readonly revision: number;
  readonly definition: TypeDefinition;
}

/** Most versions of one resource type. */
export const MOST_VERSIONS = 20;

/** Writes what the events of resource types depend on. The rows go with the resource. */
export class TypeVersionStore {
  constructor(private readonly trx: Transaction) {}

  /**
   * Writes a version and takes the names of its events.
   * @returns the number of versions, and the names that other types of the account have. If there are any, do not
   * commit.
   */
  async write({ accountId, typeId, version, revision, definition }: WrittenVersion): Promise<{
    readonly versions: number;
    readonly taken: readonly string[];
  }> {
    await sql`
      insert into resource_type_versions (type_id, version, revision, definition)
      values (${typeId}, ${version}, ${revision}, ${JSON.stringify(definition)})
      on conflict (type_id, version) do update
      set revision = excluded.revision, definition = excluded.definition`.execute(this.trx);
    await this.redactEarlier(typeId, version, revision, definition.redact);
    // In one order, so that two transactions never wait for each other.
    const actions = definition.actions.toSorted();
    const names = actions.map((action) => eventNameOf(definition.name, action));
    await sql`
      insert into resource_type_event_names (account_id, event_name, type_id, action)
      select ${accountId}, event_name, ${typeId}, action from unnest(${names}::text[], ${actions}::text[]) as n (event_name, action)
      on conflict do nothing`.execute(this.trx);
    const { rows } = await sql<{ name: string }>`
      select event_name as name from resource_type_event_names
      where account_id = ${accountId} and event_name = any(${names}::text[]) and type_id <> ${typeId}
      order by event_name`.execute(this.trx);
    const versions = await sql<{ count: number }>`
      select count(*)::int as count from resource_type_versions where type_id = ${typeId}`.execute(this.trx);
    return { versions: versions.rows[0]?.count ?? 0, taken: rows.map(({ name }) => name) };
  }

  /** Adds pointers to `redact` of the earlier versions: their events would show what a later version hides. */
  private async redactEarlier(
    typeId: string,
    version: number,
    revision: number,
    redact: readonly string[],
  ): Promise<void> {
    const pointers = JSON.stringify(redact);
    await sql`
      update resource_type_versions
      set revision = ${revision}, definition = jsonb_set(definition, '{redact}', (
        select jsonb_agg(distinct pointer)
        from jsonb_array_elements((definition -> 'redact') || ${pointers}::jsonb) as pointers (pointer)
      ))
      where type_id = ${typeId} and version < ${version} and not definition -> 'redact' @> ${pointers}::jsonb`.execute(
      this.trx,
    );
  }

  /**
   * Returns the ids of the resource types whose event types these are, by event type. Locks the types against deletion
   * until the transaction ends.
   */
  async typeIds(accountId: string, eventTypes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const wanted = eventTypes.flatMap((eventType) => {
      const parts = partsOf(eventType);
      return parts ? [{ eventType, ...parts }] : [];
    });
    if (wanted.length === 0) return new Map();
    const { rows } = await sql<{ eventType: string; typeId: string }>`
      select wanted.event_type as "eventType", r.id as "typeId"
      from unnest(${wanted.map(({ eventType }) => eventType)}::text[],
                  ${wanted.map(({ eventName }) => eventName)}::text[],
                  ${wanted.map(({ version }) => version)}::int[]) as wanted (event_type, event_name, version)
      join resource_type_event_names n on n.account_id = ${accountId} and n.event_name = wanted.event_name
      join resource_type_versions v on v.type_id = n.type_id and v.version = wanted.version
      join resources r on r.id = n.type_id
      where v.definition -> 'actions' ? n.action
      order by r.id for key share of r`.execute(this.trx);
    return new Map(rows.map(({ eventType, typeId }) => [eventType, typeId]));
  }
}
