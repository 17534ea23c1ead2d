import type { RequestContext } from '../http/request-context.js';
import type { destinationTestEvent } from './destination-test-event.js';

/** Changes of a resource that are events. */
export const eventActions = ['created', 'updated', 'deleted'] as const;
export type EventAction = (typeof eventActions)[number];

/**
 * `<resource>_<action>.v0`. `EventType` in `resources/event-types.ts` has the types of the existing families.
 */
export type EventTypeName = `${string}_${EventAction}.v0`;

/** Largest payload of an event, in bytes of JSON. */
export const MAX_EVENT_BYTES = 65_536;

/** Bytes reserved for `,"sequence":N`, which each delivery adds to the payload. */
const SEQUENCE_BYTES = 32;

/** The payload of an event; `sequence` is added by each delivery. Members may be added within v0. */
export interface EventEnvelope<Type extends string = string, Object_ = Readonly<Record<string, unknown>>> {
  readonly event_id: string;
  readonly event_type: Type;
  /** RFC 3339 with milliseconds. */
  readonly event_timestamp: string;
  readonly account_id: string;
  /**
   * The user or bot (`subject` is its name) and its API key; null when the service itself made the change.
   */
  readonly principal: {
    readonly id: string;
    readonly subject: string;
    readonly credential: { readonly id: string; readonly uri: string } | null;
  };
  /** The resource as GET returned it after the change; for a deletion, its last state. */
  readonly object: Object_;
  /**
   * The changed top-level members of an update. If their old and new values do not fit into an event, `omitted` lists
   * the members, and `object` has the new values.
   */
  readonly changes?: {
    readonly before: Partial<Object_>;
    readonly after: Partial<Object_>;
    readonly omitted?: readonly string[];
  };
  readonly request: {
    readonly operation_id: string;
    readonly ip: string | null;
    readonly user_agent: string | null;
  };
}

/**
 * Bytes that only the event of a deletion may use. The name, user agent and base URL of a deletion may be longer than
 * those of the last change, and every resource must be deletable.
 */
const DELETION_BYTES = 8_192;

/** Longest user agent that an event keeps, in characters. */
const MAX_USER_AGENT = 256;

function byteLength(payload: EventEnvelope): number {
  return Buffer.byteLength(JSON.stringify(payload));
}

/** A change of a resource. */
export interface Change {
  readonly type: EventTypeName | typeof destinationTestEvent.type;
  readonly resourceId: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly changes: {
    readonly before: Readonly<Record<string, unknown>>;
    readonly after: Readonly<Record<string, unknown>>;
  } | null;
}

/**
 * Returns the payload of the event of a change; null when it exceeds the limit even without the changed members.
 */
export function envelope(eventId: string, at: Date, context: RequestContext, change: Change): EventEnvelope | null {
  const whole: EventEnvelope = {
    event_id: eventId,
    event_type: change.type,
    event_timestamp: at.toISOString(),
    account_id: context.accountId,
    principal: {
      id: context.principal.id,
      subject: context.principal.name,
      credential: context.credential && {
        id: context.credential.id,
        uri: `${context.baseUrl}/api_keys/${context.credential.id}`,
      },
    },
    object: change.object,
    ...(change.changes && { changes: change.changes }),
    request: {
      operation_id: context.operationId,
      ip: context.ip,
      user_agent: context.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    },
  };
  const reserved = change.type.endsWith('_deleted.v0') ? 0 : DELETION_BYTES;
  const limit = MAX_EVENT_BYTES - SEQUENCE_BYTES - reserved;
  if (byteLength(whole) <= limit) return whole;
  if (!change.changes) return null;
  const omitted = {
    ...whole,
    changes: { before: {}, after: {}, omitted: Object.keys(change.changes.after) },
  };
  return byteLength(omitted) <= limit ? omitted : null;
}
