import { sql, type RawBuilder } from 'kysely';
import { databaseTime } from '../../database/database-time.js';
import { hidden, placeholder, PreparedStatement } from '../../database/prepared.js';
import { deliverOrWait, isAnyBehindWaiting, type FanOutLimits } from '../../delivery/fan-out/insert-deliveries.js';
import type { SearchKeys } from '../envelope/search-keys.js';
import { sharedFence } from '../fan-out/route-fence.js';
import { writeEvents } from '../fan-out/write-events.js';
import type { JudgedEvent } from '../rules/judged-event.js';

/**
 * What a statement does about a row that another transaction has locked: `skips` leaves it, so that a group waits for
 * none; `waits` is for a request that is alone.
 */
export type LockMode = 'skips' | 'waits';

/** A resource that events are published of. */
export interface ResourceKey {
  readonly typeId: string;
  readonly resourceId: string;
}

/** What a group of requests reads and locks. */
export interface GroupKeys {
  readonly accountId: string;
  /** Versions of resource types. */
  readonly types: readonly { readonly id: string; readonly version: number }[];
  /** In the order in which they are locked: the same for every group. */
  readonly resources: readonly ResourceKey[];
  /** The publishers' ids of the events. */
  readonly publisherIds: readonly string[];
  /** The types of the events, each once. */
  readonly eventTypes: readonly string[];
}

/**
 * A row of the result: the revision of a type version, a resource, a resource that another transaction has locked, an
 * earlier event with one of the ids, or an event type with a source that has a filter or fields.
 */
export interface LockedRow {
  readonly is: 'type' | 'resource' | 'busy' | 'event' | 'ruled';
  /** Id of the type; id of the event at the publisher; event type. */
  readonly a: string;
  /** Version of the type; id of the resource; id of the event. */
  readonly b: string;
  /** Revision of the type version; version of the resource. */
  readonly n: number | null;
  readonly object: string | null;
  readonly hash: Buffer | null;
}

/** The statement that locks what requests write: of a group, or of one request that is alone. */
export const lockStatements: Readonly<Record<LockMode, PreparedStatement<LockedRow>>> = {
  skips: new PreparedStatement(lockStatement('skips')),
  waits: new PreparedStatement(lockStatement('waits')),
};

/** Returns the values of `lockStatements`. */
export function lockedValues({ accountId, types, resources, publisherIds, eventTypes }: GroupKeys): readonly unknown[] {
  return [
    accountId,
    types.map(({ id }) => id),
    types.map(({ version }) => version),
    resources.map(({ typeId }) => typeId),
    resources.map(({ resourceId }) => resourceId),
    publisherIds,
    eventTypes,
  ];
}

/**
 * Locks the existing resources of requests until the transaction ends, and their types against changes, and returns
 * what is stored of them. Each row is found by its key, whatever the sizes of the tables. The subqueries hide the
 * arrays from the planner, which would plan each execution (docs/decisions/database.md).
 * @param mode what happens to a row that another transaction has locked: `skips` returns no type, and a resource as
 * busy
 */
function lockStatement(mode: LockMode): RawBuilder<LockedRow> {
  const skips = mode === 'skips' ? sql`skip locked` : sql``;
  return sql<LockedRow>`
    with type as materialized (
      select v.* from unnest(${hidden(1, 'text[]')}, ${hidden(2, 'int[]')}) as wanted (type_id, version)
      cross join lateral (
        select type_id, version, revision from resource_type_versions
        where type_id = wanted.type_id and version = wanted.version limit 1 for share ${skips}
      ) v
    ),
    resource as materialized (
      select p.* from unnest(${hidden(3, 'text[]')}, ${hidden(4, 'text[]')}) as wanted (type_id, resource_id)
      cross join lateral (
        select type_id, resource_id, version, object from published_resources
        where type_id = wanted.type_id and resource_id = wanted.resource_id limit 1 for update ${skips}
      ) p
    ),
    ${mode === 'skips' ? sql`${busyResources(hidden(3, 'text[]'), hidden(4, 'text[]'))},` : sql``}
    earlier as materialized (
      select e.* from unnest(${hidden(5, 'text[]')}) as wanted (id)
      cross join lateral (
        select publisher_id, event_id, hash from publisher_ids
        where account_id = ${placeholder(0)} and publisher_id = wanted.id limit 1
      ) e
    ),
    ruled as materialized (
      select wanted.type from unnest(${hidden(6, 'text[]')}) as wanted (type)
      where (select true from event_rules where account_id = ${placeholder(0)} and event_type = wanted.type limit 1)
    )
    select 'type' as "is", type_id as a, version::text as b, revision::bigint as n, null::text as object,
           null::bytea as hash from type
    union all select 'resource', type_id, resource_id, version, object, null from resource
    ${mode === 'skips' ? sql`union all select 'busy', type_id, resource_id, null, null, null from busy` : sql``}
    union all select 'event', publisher_id, event_id, null, null, hash from earlier
    union all select 'ruled', type, '', null, null, null from ruled`;
}

/** The part `busy`: the resources that exist and are not in the part `resource`. */
function busyResources(typeIds: RawBuilder<unknown>, resourceIds: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    busy as materialized (
      select wanted.* from unnest(${typeIds}, ${resourceIds}) as wanted (type_id, resource_id)
      where (wanted.type_id, wanted.resource_id) not in (select type_id, resource_id from resource)
        and (select true from published_resources p
             where p.type_id = wanted.type_id and p.resource_id = wanted.resource_id limit 1)
    )`;
}

/** A resource after a group of requests. */
export interface ResourceState extends ResourceKey {
  readonly version: number;
  /** JSON; null where the type does not need it, and after a deletion. */
  readonly object: string | null;
  readonly deleted: boolean;
}

/** A new event of a request. */
export interface RequestEvent extends ResourceKey {
  readonly id: string;
  readonly type: string;
  readonly payload: string;
  /** Of the payload, by `saltedCommitmentOf`. */
  readonly saltedCommitment: string;
  readonly publisherId: string | null;
  readonly hash: Buffer;
  readonly search: SearchKeys;
  readonly traceParent: string | null;
}

/** An event whose type may have rules, with what they say. */
export type JudgedRequestEvent = RequestEvent & JudgedEvent;

/** What a group of requests writes. */
export interface GroupWrite {
  readonly accountId: string;
  readonly createdAt: Date;
  /** In order. */
  readonly events: readonly JudgedRequestEvent[];
  /** Whether the rules of all types were read. Otherwise nothing may be committed when a type has one. */
  readonly isRuled: boolean;
  /** Resources without a row, in the order in which they are locked. */
  readonly created: readonly ResourceState[];
  /** Locked resources. */
  readonly changed: readonly ResourceState[];
}

/** Created in one statement, so many deliveries take less than half a second. */
export const publishFanOutLimits: FanOutLimits = { inline: 5_000, part: 2_000 };

/** The result of writing a group. */
export interface GroupWritten {
  /**
   * False: another transaction has created a resource, an event with the same id, or the first rule of a type. Nothing
   * may be committed.
   */
  readonly whole: boolean;
  /** The destinations that have deliveries now. */
  readonly destination_ids: readonly string[];
  /** Number of the destinations of the events. */
  readonly destinations: number;
}

/** Returns the statement that writes a group, for the groups whose types have rules, and for all others. */
export function preparedWrites(
  limits: FanOutLimits,
): Readonly<Record<'ruled' | 'plain', PreparedStatement<GroupWritten>>> {
  return {
    ruled: new PreparedStatement(writeStatement(true, limits)),
    plain: new PreparedStatement(writeStatement(false, limits)),
  };
}

/** Returns the values of `preparedWrites`. */
export function writtenValues({ accountId, createdAt, events, created, changed }: GroupWrite): readonly unknown[] {
  const rows = events.map((event, index) => ({
    position: index + 1,
    id: event.id,
    type: event.type,
    resource_id: event.resourceId,
    payload: event.payload,
    salted_commitment: event.saltedCommitment,
    principal_id: event.search.principalId,
    credential_id: event.search.credentialId,
    operation_id: event.search.operationId,
    changed_fields: event.search.changedFields,
    trace_parent: event.traceParent,
    fan_out_key: fanOutKey(event),
    publisher_id: event.publisherId,
    hash: event.publisherId === null ? null : event.hash.toString('hex'),
    refusing: event.refusing.length === 0 ? null : event.refusing,
  }));
  return [
    accountId,
    createdAt.toISOString(),
    JSON.stringify(rows),
    statesText(created),
    statesText(changed),
    created.length,
  ];
}

function statesText(states: readonly ResourceState[]): string {
  const rows = states.map(({ typeId, resourceId, version, object, deleted }) => ({
    type_id: typeId,
    resource_id: resourceId,
    version,
    object,
    deleted,
  }));
  return JSON.stringify(rows);
}

/** Waiting fan-outs are ordered by this key. Ids of published resources repeat in other accounts and types. */
function fanOutKey({ typeId, resourceId }: ResourceKey): string {
  return `${typeId}/${resourceId}`;
}

/**
 * Inserts the events of a group with their deliveries, and writes the resources, in one statement with one row. The
 * statement holds the route fence until the transaction ends (docs/decisions/fan-out.md). Its rows are JSON texts: to
 * read a text costs less than thirty arrays, and the planner expects the same number of rows of each
 * (docs/decisions/database.md).
 *
 * The fan-out of the whole group waits for the background if it is large, or if an earlier fan-out of one of the
 * resources waits (docs/decisions/fan-out.md). The order of the parts is that of the events.
 */
function writeStatement(isRuled: boolean, limits: FanOutLimits): RawBuilder<GroupWritten> {
  // As `writtenValues` returns them.
  const accountId = placeholder(0);
  const createdAt = placeholder(1);
  const events = placeholder(2);
  const created = placeholder(3);
  const changed = placeholder(4);
  const createdCount = placeholder(5);
  return sql<GroupWritten>`
    with ${sharedFence},
    given as materialized (
      select event.*, ${accountId}::text as account_id, ${createdAt}::timestamptz as created_at
      from json_to_recordset(${events}::json) as event (
        position int, id text, type text, resource_id text, payload text, salted_commitment text, principal_id text, credential_id text,
        operation_id text, changed_fields text[], trace_parent text, fan_out_key text, publisher_id text, hash text,
        refusing text[])
    ),
    created as (
      insert into published_resources (type_id, resource_id, version, object, deleted_at)
      ${rowsOf(created)} on conflict do nothing returning 1
    ),
    changed as (
      insert into published_resources (type_id, resource_id, version, object, deleted_at)
      ${rowsOf(changed)}
      on conflict (type_id, resource_id) do update
      set version = excluded.version, object = excluded.object, deleted_at = excluded.deleted_at
    ),
    identified as (
      -- In the order of the ids: two transactions with the same ids do not wait for each other.
      insert into publisher_ids (account_id, publisher_id, event_id, hash)
      select account_id, publisher_id, id, decode(hash, 'hex') from given where publisher_id is not null
      order by publisher_id collate "C" on conflict do nothing returning 1
    ),
    asked as materialized (
      select distinct type from given
    ),
    done as materialized (
      select (select count(*) from created) = ${createdCount}::bigint
         and (select count(*) from identified) = (select count(publisher_id) from given)
         ${isRuled ? sql`` : sql`and ${hasNoRule(accountId)}`} as whole
    ),
    route as materialized (
      ${isRuled ? routesOfEvents(accountId) : routesOfTypes(accountId)}
    ),
    routed as not materialized (
      select given.position, given.id as event_id, given.account_id, given.fan_out_key, route.destination_id
      from given join route using (${isRuled ? sql`id` : sql`type`})
    ),
    ${writeEvents(deliverOrWait(limits, isAnyBehindWaiting(sql`select distinct fan_out_key from given`)))}
    select (select whole from done) as whole, array(select distinct destination_id from delivery) as destination_ids,
           (select count(distinct destination_id) from route)::int as destinations`;
}

/** The destinations of each type. */
function routesOfTypes(accountId: unknown): RawBuilder<unknown> {
  return sql`select asked.type, route.destination_id
      from asked
      cross join lateral (
        select distinct destination_id from event_routes
        where account_id = ${accountId} and event_type = asked.type and not exists (select from fence)
      ) route
      where (select whole from done)`;
}

/** The destinations of each event: those of the subscriptions whose filter does not refuse it. */
function routesOfEvents(accountId: unknown): RawBuilder<unknown> {
  return sql`select given.id, route.destination_id
      from given
      cross join lateral (
        select distinct destination_id from event_routes
        where account_id = ${accountId} and event_type = given.type and not exists (select from fence)
          and subscription_id <> all(coalesce(given.refusing, '{}'))
      ) route
      where (select whole from done)`;
}

/** Whether no type has a rule. */
function hasNoRule(accountId: unknown): RawBuilder<unknown> {
  return sql`not exists (
           select from asked cross join lateral (
             select from event_rules where account_id = ${accountId} and event_type = asked.type limit 1
           ) rule
         )`;
}

function rowsOf(states: unknown): RawBuilder<unknown> {
  return sql`
    select type_id, resource_id, version, object, case when deleted then ${databaseTime} end
    from json_to_recordset(${states}::json)
      as state (type_id text, resource_id text, version bigint, object text, deleted boolean)`;
}
