import { sql, type RawBuilder } from 'kysely';
import { databaseTime } from '../../database/database-time.js';
import { textArray } from '../../database/text-array.js';
import { deliverOrWait, isBehindWaiting, type FanOutLimits } from '../../delivery/fan-out/insert-deliveries.js';
import type { SearchKeys } from '../envelope/search-keys.js';
import { sharedFence } from '../fan-out/route-fence.js';
import { describingColumns, givenRows, writeEvents } from '../fan-out/write-events.js';
import type { JudgedEvent } from '../rules/judged-event.js';

/** A resource that events are published of. */
export interface ResourceKey {
  readonly typeId: string;
  readonly resourceId: string;
}

/** What a batch reads and locks. */
export interface BatchKeys {
  readonly accountId: string;
  /** Versions of resource types. */
  readonly types: readonly { readonly id: string; readonly version: number }[];
  /** In the order in which they are locked: the same for every batch. */
  readonly resources: readonly ResourceKey[];
  /** The publishers' ids of the events. */
  readonly publisherIds: readonly string[];
  /** The types of the events, each once. */
  readonly eventTypes: readonly string[];
}

/**
 * A row of the result: the revision of a type version, a resource, an earlier event with one of the ids, or an event
 * type with a source that has a filter or fields.
 */
export interface LockedRow {
  readonly is: 'type' | 'resource' | 'event' | 'ruled';
  /** Id of the type; id of the event at the publisher; event type. */
  readonly a: string;
  /** Version of the type; id of the resource; id of the event. */
  readonly b: string;
  /** Revision of the type version; version of the resource. */
  readonly n: number | null;
  readonly object: string | null;
  readonly hash: Buffer | null;
}

/**
 * Locks the existing resources of a batch until the transaction ends, and its types against changes, and returns what
 * is stored of them. Each row is found by its key, whatever the sizes of the tables.
 */
export function lockStatement(keys: BatchKeys): RawBuilder<LockedRow> {
  const { accountId, types, resources, publisherIds, eventTypes } = keys;
  return sql<LockedRow>`
    with type as materialized (
      select v.* from unnest(${types.map(({ id }) => id)}::text[], ${types.map(({ version }) => version)}::int[])
        as wanted (type_id, version)
      cross join lateral (
        select type_id, version, revision from resource_type_versions
        where type_id = wanted.type_id and version = wanted.version limit 1 for share
      ) v
    ),
    resource as materialized (
      select p.* from unnest(${resources.map(({ typeId }) => typeId)}::text[],
                             ${resources.map(({ resourceId }) => resourceId)}::text[]) as wanted (type_id, resource_id)
      cross join lateral (
        select type_id, resource_id, version, object from published_resources
        where type_id = wanted.type_id and resource_id = wanted.resource_id limit 1 for update
      ) p
    ),
    earlier as materialized (
      select e.* from unnest(${publisherIds}::text[]) as wanted (id)
      cross join lateral (
        select publisher_id, event_id, hash from publisher_ids
        where account_id = ${accountId} and publisher_id = wanted.id limit 1
      ) e
    ),
    ruled as materialized (
      select wanted.type from unnest(${eventTypes}::text[]) as wanted (type)
      where exists (select from event_rules where account_id = ${accountId} and event_type = wanted.type)
    )
    select 'type' as "is", type_id as a, version::text as b, revision::bigint as n, null::text as object,
           null::bytea as hash from type
    union all select 'resource', type_id, resource_id, version, object, null from resource
    union all select 'event', publisher_id, event_id, null, null, hash from earlier
    union all select 'ruled', type, '', null, null, null from ruled`;
}

/** A resource after a batch. */
export interface ResourceState extends ResourceKey {
  readonly version: number;
  /** JSON; null where the type does not need it, and after a deletion. */
  readonly object: string | null;
  readonly deleted: boolean;
}

/** An event of a batch. */
export interface BatchEvent extends ResourceKey {
  readonly id: string;
  readonly type: string;
  readonly payload: string;
  readonly publisherId: string | null;
  readonly hash: Buffer;
  readonly search: SearchKeys;
}

/** An event whose type may have rules, with what they say. */
export type JudgedBatchEvent = BatchEvent & JudgedEvent;

/** What a batch writes. */
export interface BatchWrite {
  readonly accountId: string;
  readonly createdAt: Date;
  readonly traceParent: string | null;
  /** In order. */
  readonly events: readonly JudgedBatchEvent[];
  /** Whether the rules of all types were read. Otherwise nothing may be committed when a type has one. */
  readonly isRuled: boolean;
  /** Resources without a row, in the order in which they are locked. */
  readonly created: readonly ResourceState[];
  /** Locked resources. */
  readonly changed: readonly ResourceState[];
}

/** Created in one statement, so many deliveries take less than half a second. */
export const batchFanOutLimits: FanOutLimits = { inline: 5_000, part: 2_000 };

/** The result of writing a batch. */
export interface BatchWritten {
  /**
   * False: another transaction has created a resource, an event with the same id, or the first rule of a type. Nothing
   * may be committed.
   */
  readonly whole: boolean;
  /** The destinations that have deliveries now. */
  readonly destination_ids: readonly string[];
}

/**
 * Inserts the events of a batch with their deliveries, and writes the resources, in one statement with one row. The
 * statement holds the route fence until the transaction ends (docs/decisions/fan-out.md).
 *
 * The fan-out of the whole batch waits for the background if it is large, or if an earlier fan-out of one of the
 * resources waits (docs/decisions/fan-out.md). The order of the parts is that of the events.
 */
export function writeStatement(write: BatchWrite, limits: FanOutLimits): RawBuilder<BatchWritten> {
  const { accountId, createdAt, traceParent, events, created, changed, isRuled } = write;
  const given = givenRows({
    ...describingColumns(events),
    fan_out_key: events.map(fanOutKey),
    publisher_id: events.map(({ publisherId }) => publisherId),
    hash: events.map(({ hash }) => hash.toString('hex')),
    ...(isRuled && { refusing: events.map(({ refusing }) => textArray(refusing)) }),
    account_id: accountId,
    created_at: createdAt.toISOString(),
    trace_parent: traceParent,
  });
  return sql<BatchWritten>`
    with ${sharedFence},
    ${given},
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
      select ${accountId}::text, publisher_id, id, decode(hash, 'hex') from given where publisher_id is not null
      order by publisher_id collate "C" on conflict do nothing returning 1
    ),
    done as materialized (
      select (select count(*) from created) = ${created.length}::bigint
         and (select count(*) from identified) = (select count(publisher_id) from given)
         ${isRuled ? sql`` : sql`and ${hasNoRule(accountId)}`} as whole
    ),
    route as materialized (
      ${isRuled ? routesOfEvents(accountId) : routesOfTypes(accountId)}
      where (select whole from done)
    ),
    routed as not materialized (
      select given.position, given.id as event_id, given.account_id, given.fan_out_key, route.destination_id
      from given join route using (${isRuled ? sql`id` : sql`type`})
    ),
    ${writeEvents(deliverOrWait(limits, isBehindWaiting(sql`select fan_out_key from given`)))}
    select (select whole from done) as whole, array(select distinct destination_id from delivery) as destination_ids`;
}

/** The destinations of each type. */
function routesOfTypes(accountId: string): RawBuilder<unknown> {
  return sql`select wanted.type, route.destination_id
      from (select distinct type from given) wanted
      cross join lateral (
        select distinct destination_id from event_routes
        where account_id = ${accountId} and event_type = wanted.type and not exists (select from fence)
      ) route`;
}

/** The destinations of each event: those of the subscriptions whose filter does not refuse it. */
function routesOfEvents(accountId: string): RawBuilder<unknown> {
  return sql`select given.id, route.destination_id
      from given
      cross join lateral (
        select distinct destination_id from event_routes
        where account_id = ${accountId} and event_type = given.type and not exists (select from fence)
          and subscription_id <> all(given.refusing::text[])
      ) route`;
}

/** Whether no type has a rule. */
function hasNoRule(accountId: string): RawBuilder<unknown> {
  return sql`not exists (
           select from (select distinct type from given) wanted
           where exists (select from event_rules where account_id = ${accountId} and event_type = wanted.type)
         )`;
}

/** Waiting fan-outs are ordered by this key. Ids of published resources repeat in other accounts and types. */
function fanOutKey({ typeId, resourceId }: ResourceKey): string {
  return `${typeId}/${resourceId}`;
}

function rowsOf(states: readonly ResourceState[]): RawBuilder<unknown> {
  return sql`
    select type_id, resource_id, version, object, case when deleted then ${databaseTime} end
    from unnest(${states.map(({ typeId }) => typeId)}::text[], ${states.map(({ resourceId }) => resourceId)}::text[],
                ${states.map(({ version }) => version)}::bigint[], ${states.map(({ object }) => object)}::text[],
                ${states.map(({ deleted }) => deleted)}::boolean[]) as state (type_id, resource_id, version, object, deleted)`;
}
