import type { RequestContext } from '../http/request-context.js';
import type { destinationTestEvent } from './destination-test-event.js';

/** What happened to a resource. */
export const eventActions = ['created', 'updated', 'deleted'] as const;
export type EventAction = (typeof eventActions)[number];

/** `<resource>_<action>.v0`; the narrower type of the families that exist is `EventType` in `resources/event-types.ts`. */
export type EventTypeName = `${string}_${EventAction}.v0`;

/** Largest payload of an event, in bytes of JSON. */
export const MAX_EVENT_BYTES = 65_536;

/** Bytes kept free for `,"sequence":N`, which each delivery adds to the payload. */
const SEQUENCE_BYTES = 32;

/** The payload of an event; `sequence` is added by each delivery. Members may be added within v0. */
export interface EventEnvelope<Type extends string = string, Object_ = Readonly<Record<string, unknown>>> {
  readonly event_id: string;
  readonly event_type: Type;
  /** RFC 3339 with milliseconds. */
  readonly event_timestamp: string;
  readonly account_id: string;
  /** Who did it (`subject` is the name of the user or bot), and with which API key (none where the service itself did it). */
  readonly principal: {
    readonly id: string;
    readonly subject: string;
    readonly credential: { readonly id: string; readonly uri: string } | null;
  };
  /** What GET returned at that moment; on deletion the last state. */
  readonly object: Object_;
  /**
   * On updates, the top-level members that changed. Where both versions do not fit into an event, the members stand in
   * `omitted` instead, and `object` has their new values.
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
 * Bytes that only the event of a deletion may use: its caller may have a longer name and user agent, and the API a longer address,
 * than when the resource was last changed, and what could be made must be possible to delete.
 */
const DELETION_BYTES = 8_192;

/** Longest user agent that an event keeps, in characters. */
const MAX_USER_AGENT = 256;

function byteLength(payload: EventEnvelope): number {
  return Buffer.byteLength(JSON.stringify(payload));
}

/** A change to a resource, as its service reports it. */
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
 * The payload of the event of a change.
 * @returns null when even without the changed members it would be larger than an event may be
 */
export function envelope(
  eventId: string,
  at: Date,
  context: RequestContext,
  change: Change,
): EventEnvelope | null {
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
  const room = MAX_EVENT_BYTES - SEQUENCE_BYTES - reserved;
  if (byteLength(whole) <= room) return whole;
  if (!change.changes) return null;
  const omitted = {
    ...whole,
    changes: { before: {}, after: {}, omitted: Object.keys(change.changes.after) },
  };
  return byteLength(omitted) <= room ? omitted : null;
}
