import type { RequestContext } from '../../http/request/request-context.js';
import { newId } from '../../ids/id.js';
import { Problem, type InputError } from '../../problems/problem.js';
import {
  keptUserAgent,
  keyReference,
  MAX_EVENT_BYTES,
  payloadText,
  type EventEnvelope,
} from '../envelope/event-envelope.js';
import type { JsonObject } from '../envelope/json-object.js';
import { searchKeysOf } from '../envelope/search-keys.js';
import { unknownPrincipal } from '../envelope/system-context.js';
import type { CheckedEvent } from './batch-check.js';
import { objectChanges, type ObjectChanges } from './object-changes.js';
import type { BatchEvent, BatchKeys, ResourceState } from './publish-statements.js';
import { resourceKey, versionKey, type LockedBatch } from './publish-store.js';
import type { PublishResponse } from './published-event.js';
import { redacted } from './redaction.js';

/** What a batch writes, and its response. */
export interface BatchPlan {
  readonly response: PublishResponse;
  /** The new events, in order. */
  readonly events: readonly BatchEvent[];
  /** The resources that have no row, and those that have one, in the order in which they are locked. */
  readonly created: readonly ResourceState[];
  readonly changed: readonly ResourceState[];
}

/** Returns what a batch locks: the resources in one order for all batches, so that no two wait in a circle. */
export function keysOf(accountId: string, events: readonly CheckedEvent[]): BatchKeys {
  const types = new Map(events.map(({ type }) => [versionKey(type.id, type.version), type]));
  const resources = new Map(
    events.map(({ type: { id: typeId }, resourceId }) => [resourceKey(typeId, resourceId), { typeId, resourceId }]),
  );
  return {
    accountId,
    types: [...types.values()].map(({ id, version }) => ({ id, version })),
    resources: inOrder(resources),
    publisherIds: [...new Set(events.flatMap(({ publisherId }) => publisherId ?? []))],
    eventTypes: [...new Set(events.map(({ eventType }) => eventType))],
  };
}

function inOrder<Value>(byKey: ReadonlyMap<string, Value>): readonly Value[] {
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

/** The state of a resource while a batch is planned. */
interface PlannedResource {
  readonly version: number;
  /** The last object; null where nothing is known of it. */
  readonly object: JsonObject | null;
  /** The object before the last event. */
  readonly before: JsonObject | null;
  readonly state: ResourceState;
}

/**
 * Returns what a batch writes. Events that were published before are not written again.
 * @param locked the stored state, locked until the transaction ends
 * @throws Problem `event_id_reused` for an id that was used for another event, `event_too_large`
 */
export function planBatch(
  context: RequestContext,
  batch: readonly CheckedEvent[],
  locked: LockedBatch,
  at: Date,
): BatchPlan {
  const first = firstEvents(batch, locked);
  const resources = new Map<string, PlannedResource>();
  const events: BatchEvent[] = [];
  const results: PublishResponse['events'] = [];
  const errors: InputError[] = [];
  for (const [index, event] of batch.entries()) {
    const earlier = event.publisherId === null ? undefined : first.get(event.publisherId);
    if (earlier) {
      results.push({ event_id: earlier.id, duplicate: true });
      continue;
    }
    const id = newId('evt');
    if (event.publisherId !== null) first.set(event.publisherId, { id, hash: event.hash });
    results.push({ event_id: id, duplicate: false });
    const key = resourceKey(event.type.id, event.resourceId);
    const planned = nextState(event, resources.get(key), locked.resources.get(key));
    resources.set(key, planned);
    const whole = envelopeOf(id, at, context, event, planned);
    const payload = payloadText(whole);
    if (payload === null) errors.push({ pointer: `/events/${index}/object`, detail: TOO_LARGE });
    events.push({
      id,
      type: event.eventType,
      typeId: event.type.id,
      resourceId: event.resourceId,
      payload: payload ?? '',
      publisherId: event.publisherId,
      hash: event.hash,
      search: searchKeysOf(whole),
    });
  }
  if (errors.length > 0) {
    const detail = `${errors[0]?.pointer ?? ''}: ${TOO_LARGE}. Nothing was stored.`;
    throw new Problem('too_large', 'event_too_large', detail, { errors: errors.slice(0, 50) });
  }
  const isNew = (key: string) => !locked.resources.has(key);
  const states = (wanted: boolean) =>
    inOrder(
      new Map([...resources].filter(([key]) => isNew(key) === wanted).map(([key, { state }]) => [key, state] as const)),
    );
  return { response: { events: results }, events, created: states(true), changed: states(false) };
}

const TOO_LARGE = `makes an event of more than ${MAX_EVENT_BYTES} bytes of JSON, of which 8 KiB are reserved`;

/**
 * Returns the stored events by their ids at the publisher.
 * @throws Problem `event_id_reused` when one of the ids is that of an event with other content, stored or in the batch
 */
function firstEvents(
  batch: readonly CheckedEvent[],
  { earlier }: LockedBatch,
): Map<string, { readonly id: string; readonly hash: Buffer }> {
  const seen = new Map<string, { readonly hash: Buffer; readonly name: string; readonly eventId: string | null }>();
  for (const [publisherId, { id, hash }] of earlier) seen.set(publisherId, { hash, name: id, eventId: id });
  const errors: InputError[] = [];
  const conflicts = new Set<string>();
  for (const [index, { publisherId, hash }] of batch.entries()) {
    if (publisherId === null) continue;
    const first = seen.get(publisherId);
    if (!first) seen.set(publisherId, { hash, name: `/events/${index} of this request`, eventId: null });
    else if (!first.hash.equals(hash)) {
      const detail = `the id ${JSON.stringify(publisherId)} was used for ${first.name}, which has other content`;
      errors.push({ pointer: `/events/${index}/id`, detail });
      if (first.eventId !== null) conflicts.add(first.eventId);
    }
  }
  const [error] = errors;
  if (error) {
    const detail = `${error.pointer}: ${error.detail}. Nothing was stored.`;
    const ids = conflicts.size > 0 ? { conflicts: [...conflicts].slice(0, 50) } : {};
    throw new Problem('conflict', 'event_id_reused', detail, { errors: errors.slice(0, 50), ...ids });
  }
  return new Map(earlier);
}

/** Returns the resource after an event. */
function nextState(
  { type, action, resourceId, object }: CheckedEvent,
  planned: PlannedResource | undefined,
  stored: { readonly version: number; readonly object: string | null } | undefined,
): PlannedResource {
  const before = planned ? planned.object : lastObject(stored?.object ?? null, type.redact);
  const version = (planned ? planned.version : (stored?.version ?? 0)) + 1;
  const deleted = action === 'deleted';
  const last = deleted || type.changes === 'given' ? null : object;
  const state = {
    typeId: type.id,
    resourceId,
    version,
    object: last === null ? null : JSON.stringify(last),
    deleted,
  };
  return { version, object: last, state, before };
}

/** The last object as it may be reported now: a pointer may have been added to `redact` since. */
function lastObject(stored: string | null, redact: readonly string[]): JsonObject | null {
  if (stored === null) return null;
  const object: JsonObject = JSON.parse(stored);
  return redacted(object, redact);
}

function changesOf({ type, action, object, changes }: CheckedEvent, before: JsonObject | null): ObjectChanges | null {
  if (changes !== null || type.changes === 'given') return changes;
  // Nothing is known before the first event of a resource, and nothing was before its creation.
  if (before === null || action === 'created' || action === 'deleted') return null;
  return objectChanges(before, object);
}

function envelopeOf(
  id: string,
  at: Date,
  context: RequestContext,
  event: CheckedEvent,
  { version, before }: PlannedResource,
): EventEnvelope {
  const { request, occurredAt, repaired } = event;
  const principal = event.principal ?? unknownPrincipal;
  const changes = changesOf(event, before);
  const key = context.credential && keyReference(context, context.credential);
  return {
    event_id: id,
    event_type: event.eventType,
    event_timestamp: at.toISOString(),
    ...(occurredAt !== null && { occurred_at: occurredAt }),
    account_id: context.accountId,
    resource_id: event.resourceId,
    principal: {
      id: principal.id,
      subject: principal.subject ?? principal.id,
      credential: null,
      ...(key && { via: key }),
    },
    ...(repaired && { repaired }),
    version,
    object: event.object,
    ...(changes && { changes }),
    request: {
      operation_id: context.operationId,
      ip: request?.ip ?? null,
      user_agent: keptUserAgent(request?.user_agent),
      ...(request?.id != null && { id: request.id }),
    },
  };
}
