import type { RequestContext } from '../../http/request/request-context.js';
import { newId } from '../../ids/id.js';
import { Problem, type InputError } from '../../problems/problem.js';
import { Stretch } from '../../timing/stretch.js';
import {
  keptUserAgent,
  keyReference,
  MAX_EVENT_BYTES,
  payloadText,
  type EventEnvelope,
} from '../envelope/event-envelope.js';
import type { JsonObject } from '../envelope/json-object.js';
import { saltedCommitmentOf } from '../envelope/salted-commitment.js';
import { searchKeysOf } from '../envelope/search-keys.js';
import { unknownPrincipal } from '../envelope/system-context.js';
import type { CheckedEvent, CheckedRequest } from './batch-check.js';
import { objectChanges, type ObjectChanges } from './object-changes.js';
import type { GroupKeys, RequestEvent, ResourceState } from './publish-statements.js';
import { resourceKey, versionKey, type EarlierEvent, type LockedGroup } from './publish-store.js';
import type { PublishResponse } from './published-event.js';
import { publishingLimits } from './publishing-limits.js';
import { redacted } from './redaction.js';

/** Returns what requests lock: the resources in one order for all groups, so that no two wait in a circle. */
export function keysOf(accountId: string, events: readonly CheckedEvent[]): GroupKeys {
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

/** The state of a resource while a group is planned. */
export interface PlannedResource {
  readonly version: number;
  /** The last object; null where nothing is known of it. */
  readonly object: JsonObject | null;
  /** The object before the last event. */
  readonly before: JsonObject | null;
  readonly state: ResourceState;
}

/** What one request adds to its group. */
export interface PlannedRequest {
  readonly response: PublishResponse;
  /** The new events, in order. Those that were published before are not written again. */
  readonly events: readonly RequestEvent[];
  /** Of the payloads of these events. */
  readonly characters: number;
  /** The resources of these events, by key. */
  readonly resources: ReadonlyMap<string, PlannedResource>;
  /** The new events by their ids at the publisher. */
  readonly ids: ReadonlyMap<string, EarlierEvent>;
}

/**
 * What a group of requests writes. Each request is planned on top of those that were added before it, as if they had
 * been committed.
 */
export class GroupPlan {
  private readonly resources = new Map<string, PlannedResource>();
  private readonly ids: Map<string, EarlierEvent>;
  /** Characters of the payloads of the requests that were added. */
  private characters = 0;

  /** @param locked the stored state, locked until the transaction ends */
  constructor(
    private readonly locked: LockedGroup,
    private readonly at: Date,
  ) {
    this.ids = new Map(locked.earlier);
  }

  /**
   * Returns what a request writes after those that were added. Serves others between two events.
   * @throws Problem `event_id_reused` for an id that was used for another event, `event_too_large`, `body_too_large`
   */
  async planned({ context, events: batch, traceParent }: CheckedRequest): Promise<PlannedRequest> {
    requireSameContent(batch, this.ids);
    const ids = new Map<string, EarlierEvent>();
    const resources = new Map<string, PlannedResource>();
    const events: RequestEvent[] = [];
    const results: PublishResponse['events'] = [];
    const errors: InputError[] = [];
    const stretch = new Stretch();
    let characters = 0;
    for (const [index, event] of batch.entries()) {
      const { publisherId, hash } = event;
      const earlier = publisherId === null ? undefined : (this.ids.get(publisherId) ?? ids.get(publisherId));
      if (earlier) {
        results.push({ event_id: earlier.id, duplicate: true });
        continue;
      }
      await stretch.pause();
      const id = newId('evt');
      if (publisherId !== null) ids.set(publisherId, { id, hash });
      results.push({ event_id: id, duplicate: false });
      const key = resourceKey(event.type.id, event.resourceId);
      const planned = nextState(event, resources.get(key) ?? this.resources.get(key), this.locked.resources.get(key));
      resources.set(key, planned);
      const whole = envelopeOf(id, this.at, context, event, planned);
      const payload = payloadText(whole);
      characters += payload?.length ?? 0;
      if (characters > MOST_CHARACTERS) throw new Problem('body_too_large', TOO_MUCH);
      if (payload === null) errors.push({ pointer: `/events/${index}/object`, detail: TOO_LARGE });
      events.push({
        id,
        type: event.eventType,
        typeId: event.type.id,
        resourceId: event.resourceId,
        payload: payload ?? '',
        saltedCommitment: payload === null ? '' : saltedCommitmentOf(payload),
        publisherId,
        hash,
        search: searchKeysOf(whole),
        traceParent,
      });
    }
    if (errors.length > 0) {
      const detail = `${errors[0]?.pointer ?? ''}: ${TOO_LARGE}. Nothing was stored.`;
      throw new Problem('event_too_large', detail, { errors: errors.slice(0, 50) });
    }
    return { response: { events: results }, events, characters, resources, ids };
  }

  /** Whether the group has as much as one request may have. */
  get isFull(): boolean {
    return this.characters >= MOST_CHARACTERS;
  }

  /** Adds a request that is planned on top of the present state. */
  add({ characters, resources, ids }: PlannedRequest): void {
    this.characters += characters;
    for (const [key, resource] of resources) this.resources.set(key, resource);
    for (const [publisherId, event] of ids) this.ids.set(publisherId, event);
  }

  /** The resources after the group: those that have no row, and those that have one, in the order of the locks. */
  get states(): { readonly created: readonly ResourceState[]; readonly changed: readonly ResourceState[] } {
    const all = inOrder(this.resources).map(({ state }) => state);
    const isNew = ({ typeId, resourceId }: ResourceState) =>
      !this.locked.resources.has(resourceKey(typeId, resourceId));
    return { created: all.filter(isNew), changed: all.filter((state) => !isNew(state)) };
  }
}

/** Most characters of the events of a request with their changes. A group has less than twice as many. */
const MOST_CHARACTERS = 4 * publishingLimits.mostBatchBytes;

const TOO_MUCH =
  'The events have more than 8 Mi characters of JSON with the changes that Waybill computes. Nothing was stored. Send fewer events.';

const TOO_LARGE = `makes an event of more than ${MAX_EVENT_BYTES} bytes of JSON, of which 8 KiB are reserved`;

/**
 * @throws Problem `event_id_reused` when one of the ids is that of an event with other content: an earlier one, or
 * another one of the request
 */
function requireSameContent(batch: readonly CheckedEvent[], earlier: ReadonlyMap<string, EarlierEvent>): void {
  const own = new Map<string, { readonly hash: Buffer; readonly index: number }>();
  const errors: InputError[] = [];
  const conflicts = new Set<string>();
  for (const [index, { publisherId, hash }] of batch.entries()) {
    if (publisherId === null) continue;
    const stored = earlier.get(publisherId);
    const first = stored ?? own.get(publisherId);
    if (!first) own.set(publisherId, { hash, index });
    // Of an erased event nothing is known: one with its id is taken for the same.
    if (!first || first.hash.length === 0 || first.hash.equals(hash)) continue;
    const name = 'id' in first ? first.id : `/events/${first.index} of this request`;
    const detail = `the id ${JSON.stringify(publisherId)} was used for ${name}, which has other content`;
    errors.push({ pointer: `/events/${index}/id`, detail });
    if (stored) conflicts.add(stored.id);
  }
  const [error] = errors;
  if (!error) return;
  const detail = `${error.pointer}: ${error.detail}. Nothing was stored.`;
  const ids = conflicts.size > 0 ? { conflicts: [...conflicts].slice(0, 50) } : {};
  throw new Problem('event_id_reused', detail, { errors: errors.slice(0, 50), ...ids });
}

/** Returns the resource after an event. */
function nextState(
  { type, action, resourceId, object }: CheckedEvent,
  planned: PlannedResource | undefined,
  stored: { readonly version: number; readonly object: string | null } | undefined,
): PlannedResource {
  const before = planned
    ? planned.object && redacted(planned.object, type.redact)
    : lastObject(stored?.object ?? null, type.redact);
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
