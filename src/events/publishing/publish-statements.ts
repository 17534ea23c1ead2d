import { sql, type RawBuilder } from 'kysely';
import { databaseTime } from '../../database/database-time.js';
import type { SearchKeys } from '../envelope/search-keys.js';
import { eventColumns } from '../fan-out/event-columns.js';
import { sharedFence } from '../fan-out/route-fence.js';
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

/** Where the fan-out of a batch is too large for its transaction. */
export interface BatchFanOutLimits {
  /** Most deliveries that the transaction of a batch creates. */
  readonly inline: number;
  /** Most destinations of one part of a fan-out that waits for the background. */
  readonly part: number;
}

/** Created in one statement, so many deliveries take less than half a second. */
export const batchFanOutLimits: BatchFanOutLimits = { inline: 5_000, part: 2_000 };

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
export function writeStatement(write: BatchWrite, limits: BatchFanOutLimits): RawBuilder<BatchWritten> {
  const { accountId, createdAt, traceParent, events, created, changed, isRuled } = write;
  const key = isRuled ? sql`id` : sql`type`;
  return sql<BatchWritten>`
    with ${sharedFence},
    given as materialized (
      select * from unnest(${events.map(({ id }) => id)}::text[], ${events.map(({ type }) => type)}::text[],
                           ${events.map(({ resourceId }) => resourceId)}::text[],
                           ${events.map(fanOutKey)}::text[], ${events.map(({ payload }) => payload)}::text[],
                           ${events.map(({ publisherId }) => publisherId)}::text[],
                           ${events.map(({ hash }) => hash.toString('hex'))}::text[],
                           ${events.map(({ search }) => search.principalId)}::text[],
                           ${events.map(({ search }) => search.credentialId)}::text[],
                           ${events.map(({ search }) => search.operationId)}::text[],
                           ${events.map(({ search }) => changedFieldsText(search))}::text[]${isRuled ? sql`, ${events.map(refusingText)}::text[]` : sql``})
        with ordinality as event (id, type, resource_id, fan_out_key, payload, publisher_id, hash, principal_id,
                                  credential_id, operation_id, changed_fields${isRuled ? sql`, refusing` : sql``}, position)
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
      select ${accountId}::text, publisher_id, id, decode(hash, 'hex') from given where publisher_id is not null
      order by publisher_id collate "C" on conflict do nothing returning 1
    ),
    event as (
      insert into events (${eventColumns})
      select id, ${accountId}::text, type, resource_id, payload, ${createdAt}::timestamptz, ${traceParent}::text,
             principal_id, credential_id, operation_id,
             case when changed_fields is not null then array(select json_array_elements_text(changed_fields::json)) end
      from given order by position
    ),
    done as materialized (
      select (select count(*) from created) = ${created.length}::bigint
         and (select count(*) from identified) = (select count(publisher_id) from given)
         ${isRuled ? sql`` : sql`and ${hasNoRule(accountId)}`} as whole
    ),
    routed as materialized (
      ${isRuled ? routesOfEvents(accountId) : routesOfTypes(accountId)}
      where (select whole from done)
    ),
    fan_out as materialized (
      select (select count(*) from given join routed using (${key})) > ${limits.inline}::bigint
          or exists (select from fan_out_parts where resource_id in (select fan_out_key from given)) as waits
    ),
    waiting as (
      insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
      select id, ${accountId}::text, fan_out_key, array_agg(destination_id), ${databaseTime}
      from (
        select given.id, given.fan_out_key, given.position, destination_id,
               (row_number() over (partition by given.position) - 1) / ${limits.part}::bigint as part
        from given join routed using (${key}) where (select waits from fan_out)
      ) numbered
      group by position, id, fan_out_key, part order by position, part
    ),
    delivery as (
      insert into deliveries (event_id, destination_id, account_id, created_at)
      select given.id, destination_id, ${accountId}::text, ${databaseTime}
      from given join routed using (${key}) where not (select waits from fan_out)
      order by given.position
      returning destination_id
    )
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
          and subscription_id <> all(array(select json_array_elements_text(given.refusing::json)))
      ) route`;
}

/** Whether no type has a rule. */
function hasNoRule(accountId: string): RawBuilder<unknown> {
  return sql`not exists (
           select from (select distinct type from given) wanted
           where exists (select from event_rules where account_id = ${accountId} and event_type = wanted.type)
         )`;
}

/** As JSON, like the changed fields. */
function refusingText({ refusing }: JudgedEvent): string {
  return JSON.stringify(refusing);
}

/** As JSON: `unnest` knows no arrays of arrays of several lengths. */
function changedFieldsText({ changedFields }: SearchKeys): string | null {
  return changedFields === null ? null : JSON.stringify(changedFields);
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
