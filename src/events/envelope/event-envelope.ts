import { cut } from '../../bounds/storable.js';
import type { HealthEventType } from '../../delivery/attempts/health-event-types.js';
import { NUMBER_BYTES } from '../../delivery/lanes/delivered-event.js';
import type { RequestContext } from '../../http/request/request-context.js';
import type { destinationTestEvent } from '../catalogue/destination-test-event.js';
import type { RecoveryEventType } from '../catalogue/recovery-events.js';

/** Changes of a resource that are events. */
export const eventActions = ['created', 'updated', 'deleted'] as const;
export type EventAction = (typeof eventActions)[number];

/** The changes of a resource, and the snapshot of its present state, which is no change. */
export const eventKinds = [...eventActions, 'snapshot'] as const;
export type EventKind = (typeof eventKinds)[number];

/** `<resource>_<kind>.v0`. */
export type EventTypeName<Kind extends EventKind = EventKind> = `${string}_${Kind}.v0`;

/** Largest payload of an event, in bytes of JSON. */
export const MAX_EVENT_BYTES = 65_536;

/**
 * The payload of an event; `epoch`, `sequence` and `integrity` are added by each delivery. Members may be added within
 * v0.
 */
export interface EventEnvelope {
  readonly event_id: string;
  readonly event_type: string;
  /** RFC 3339 with milliseconds. */
  readonly event_timestamp: string;
  readonly account_id: string;
  /** The resource that changed: the id of a built-in one, or the publisher's own. */
  readonly resource_id: string;
  /**
   * The user or bot (`subject` is its name) and its API key; null when the service itself made the change.
   */
  readonly principal: {
    readonly id: string;
    readonly subject: string;
    readonly credential: { readonly id: string; readonly uri: string } | null;
    /** Of a published event: the API key that published it. */
    readonly via?: { readonly id: string; readonly uri: string };
  };
  /** Of a published event that was changed after it was recorded: the record of the change. */
  readonly repaired?: { readonly by: string; readonly reason: string; readonly at: string };
  /** Of a published event: when the change was made, by the clock of the publisher. */
  readonly occurred_at?: string;
  /**
   * The version of the resource: 1 when it was created, 1 more with each change, its deletion included. The test of a
   * destination and a snapshot have the current version. The start of an epoch, the health of a destination and a
   * recovery have 0: they report no state of a resource.
   */
  readonly version: number;
  /** The resource as GET returned it after the change; for a deletion, its last state. */
  readonly object: Readonly<Record<string, unknown>>;
  /**
   * The changed top-level members of an update. If their old and new values do not fit into an event, `omitted` lists
   * the members, and `object` has the new values.
   */
  readonly changes?: {
    readonly before: Readonly<Record<string, unknown>>;
    readonly after: Readonly<Record<string, unknown>>;
    readonly omitted?: readonly string[];
  };
  readonly request: {
    readonly operation_id: string;
    readonly ip: string | null;
    readonly user_agent: string | null;
    /** Of a published event: the id of the request at the publisher. */
    readonly id?: string;
  };
}

/**
 * Bytes that only a deletion and a snapshot may use. The name, user agent and base URL of a deletion may be longer than
 * those of the last change, and every resource must be deletable. A snapshot must report every resource too.
 */
const DELETION_BYTES = 8_192;

/** Bytes reserved for what Waybill adds to a published event, such as its id and the address of the key. */
const ADDED_BYTES = 2_560;

/** Most bytes of a published deletion as compact JSON, without the values of its changes, that always fits. */
export const MOST_PUBLISHED_DELETION_BYTES = MAX_EVENT_BYTES - ADDED_BYTES;

/** As above, of any other published event. */
export const MOST_PUBLISHED_EVENT_BYTES = MOST_PUBLISHED_DELETION_BYTES - DELETION_BYTES;

/** Longest user agent that an event keeps, in characters. */
const MAX_USER_AGENT = 256;

/** The state of a resource that an event reports. */
export interface ReportedState {
  readonly type:
    | EventTypeName
    | typeof destinationTestEvent.type
    | 'event_destination_epoch_started.v0'
    | 'event_destination_checkpoint_signed.v0'
    | 'event_erasure_recorded.v0'
    | HealthEventType
    | RecoveryEventType;
  readonly resourceId: string;
  readonly version: number;
  readonly object: Readonly<Record<string, unknown>>;
  /** The changed members of an update; null for other events. */
  readonly changes: {
    readonly before: Readonly<Record<string, unknown>>;
    readonly after: Readonly<Record<string, unknown>>;
  } | null;
}

/** Returns the payload of the event of a change. */
export function envelopeOf(eventId: string, at: Date, context: RequestContext, change: ReportedState): EventEnvelope {
  return {
    event_id: eventId,
    event_type: change.type,
    event_timestamp: at.toISOString(),
    account_id: context.accountId,
    resource_id: change.resourceId,
    principal: {
      id: context.principal.id,
      subject: context.principal.name,
      credential: context.credential && keyReference(context, context.credential),
    },
    version: change.version,
    object: change.object,
    ...(change.changes && { changes: change.changes }),
    request: {
      operation_id: context.operationId,
      ip: context.ip,
      user_agent: keptUserAgent(context.userAgent),
    },
  };
}

/** Returns the id and address of an API key. */
export function keyReference(
  { baseUrl }: RequestContext,
  { id }: { readonly id: string },
): { id: string; uri: string } {
  return { id, uri: `${baseUrl}/api_keys/${id}` };
}

/** Returns the part of a user agent that an event keeps. */
export function keptUserAgent(userAgent: string | null | undefined): string | null {
  return userAgent == null ? null : cut(userAgent, MAX_USER_AGENT);
}

/**
 * Returns a payload as JSON, without the old and new values of its changes where they do not fit; null when it exceeds
 * the limit even so.
 */
export function payloadText(whole: EventEnvelope): string | null {
  const reserved = /_(?:deleted|snapshot)\.v\d+$/.test(whole.event_type) ? 0 : DELETION_BYTES;
  const limit = MAX_EVENT_BYTES - NUMBER_BYTES - reserved;
  const text = JSON.stringify(whole);
  if (Buffer.byteLength(text) <= limit) return text;
  if (!whole.changes) return null;
  const omitted = [...new Set([...Object.keys(whole.changes.before), ...Object.keys(whole.changes.after)])];
  const shorter = JSON.stringify({ ...whole, changes: { before: {}, after: {}, omitted } });
  return Buffer.byteLength(shorter) <= limit ? shorter : null;
}
