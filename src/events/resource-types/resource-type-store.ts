import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/database.js';
import { partsOf, type EventTypeParts } from './event-type-name.js';
import { schemaTextOf } from './schemas/object-schemas.js';
import type { ObjectSchema } from './schemas/object-validator.js';
import type { SchemaText } from './schemas/schema-tasks.js';

/** Who computes the changed members of an update: `given` by the publisher, or `computed` from the last object. */
export type ChangesSource = 'given' | 'computed';

/** What a version of a resource type says about its events. */
export interface TypeDefinition {
  readonly name: string;
  readonly actions: readonly string[];
  /** JSON Schema of the object; null: any object. */
  readonly schema: ObjectSchema | null;
  /** Pointers into the object whose values are null in events. */
  readonly redact: readonly string[];
  readonly changes: ChangesSource;
}

/** One version of a resource type. */
export interface ResourceTypeVersion extends TypeDefinition {
  readonly id: string;
  readonly version: number;
  /** Increases with each change of the version. */
  readonly revision: number;
  /** The schema as `ObjectSchemas` takes it. */
  readonly schemaText: SchemaText | null;
}

/** An event type of a resource type. */
export interface RegisteredEventType {
  readonly type: ResourceTypeVersion;
  readonly action: string;
}

/** An event type of a resource type, as lists show it. */
export interface ListedEventType {
  /** Name of the resource type. */
  readonly resource: string;
  readonly version: number;
  readonly action: string;
}

/** Most versions of resource types that a process keeps. */
const MOST_KEPT = 500;
/** Most event types that a process keeps, of all accounts. */
const MOST_EVENT_TYPES_KEPT = 5_000;

interface VersionKey {
  readonly typeId: string;
  readonly version: number;
  readonly revision: number;
}

/** Every query on the resource types of accounts for their events. */
export class ResourceTypeStore {
  private readonly kept = new LRUCache<string, ResourceTypeVersion>({ max: MOST_KEPT });

  private readonly keptByName = new LRUCache<string, RegisteredEventType>({ max: MOST_EVENT_TYPES_KEPT });

  constructor(private readonly db: Database) {}

  /** Forgets what is kept. After a failover that loses commits, other definitions may have the same revisions. */
  forget(): void {
    this.kept.clear();
    this.keptByName.clear();
  }

  /**
   * Returns the result of `byEventType` as it was when this process read these event types last; null when it does not
   * keep all of them. Before the caller relies on a type, it compares the revision with the stored one.
   */
  keptByEventType(accountId: string, eventTypes: readonly string[]): ReadonlyMap<string, RegisteredEventType> | null {
    const found = new Map<string, RegisteredEventType>();
    for (const eventType of eventTypes) {
      const kept = found.get(eventType) ?? this.keptByName.get(nameKey(accountId, eventType));
      if (!kept) return null;
      found.set(eventType, kept);
    }
    return found;
  }

  /** Returns those of these event types that the account has registered, by their names, such as `order_created.v0`. */
  async byEventType(
    accountId: string,
    eventTypes: readonly string[],
  ): Promise<ReadonlyMap<string, RegisteredEventType>> {
    const wanted = [...new Set(eventTypes)].flatMap((eventType) => {
      const parts = partsOf(eventType);
      return parts ? [{ eventType, ...parts }] : [];
    });
    if (wanted.length === 0) return new Map();
    const { rows } = await sql<VersionKey & { readonly eventType: string; readonly action: string }>`
      select wanted.event_type as "eventType", n.action, v.type_id as "typeId", v.version, v.revision
      from unnest(${wanted.map(({ eventType }) => eventType)}::text[],
                  ${wanted.map(({ eventName }) => eventName)}::text[],
                  ${wanted.map(({ version }) => version)}::int[]) as wanted (event_type, event_name, version)
      join resource_type_event_names n on n.account_id = ${accountId} and n.event_name = wanted.event_name
      join resource_type_versions v on v.type_id = n.type_id and v.version = wanted.version
      where v.definition -> 'actions' ? n.action`.execute(this.db);
    const types = await this.load(rows);
    const found = new Map(
      rows.flatMap(({ eventType, action, ...key }) => {
        const type = types.get(versionKey(key));
        return type ? [[eventType, { type, action }] as const] : [];
      }),
    );
    for (const [eventType, type] of found) this.keptByName.set(nameKey(accountId, eventType), type);
    return found;
  }

  /**
   * Returns at most `limit` event types of the resource types of an account, by the name of the event and the version.
   * @param after the event type before the first one; null: the first ones
   */
  async list(accountId: string, after: EventTypeParts | null, limit: number): Promise<readonly ListedEventType[]> {
    const { rows } = await sql<ListedEventType>`
      select r.attributes ->> 'name' as resource, v.version, n.action
      from resource_type_event_names n
      join resource_type_versions v on v.type_id = n.type_id and v.definition -> 'actions' ? n.action
      join resources r on r.id = n.type_id
      where n.account_id = ${accountId} and (n.event_name, v.version) > (${after?.eventName ?? ''}, ${after?.version ?? 0})
      order by n.event_name, v.version limit ${limit}`.execute(this.db);
    return rows;
  }

  /** Returns the versions by key: the kept ones, and the others from the database. */
  private async load(keys: readonly VersionKey[]): Promise<ReadonlyMap<string, ResourceTypeVersion>> {
    const found = new Map<string, ResourceTypeVersion>();
    const missing: VersionKey[] = [];
    for (const key of keys) {
      const kept = this.kept.get(revisionKey(key));
      if (kept) found.set(versionKey(key), kept);
      else missing.push(key);
    }
    if (missing.length === 0) return found;
    const { rows } = await sql<VersionKey & { readonly definition: TypeDefinition }>`
      select distinct v.type_id as "typeId", v.version, v.revision, v.definition
      from unnest(${missing.map(({ typeId }) => typeId)}::text[], ${missing.map(({ version }) => version)}::int[])
        as wanted (type_id, version)
      join resource_type_versions v on v.type_id = wanted.type_id and v.version = wanted.version`.execute(this.db);
    for (const { definition, ...key } of rows) {
      const { typeId: id, version, revision } = key;
      const schemaText = definition.schema && schemaTextOf(definition.schema);
      const type = { ...definition, id, version, revision, schemaText };
      this.kept.set(revisionKey(key), type);
      found.set(versionKey(key), type);
    }
    return found;
  }
}

function versionKey({ typeId, version }: VersionKey): string {
  return `${typeId} ${version}`;
}

/** No event type has a space. */
function nameKey(accountId: string, eventType: string): string {
  return `${accountId} ${eventType}`;
}

function revisionKey(key: VersionKey): string {
  return `${versionKey(key)} ${key.revision}`;
}
