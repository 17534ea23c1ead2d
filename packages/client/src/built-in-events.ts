import { builtInEventTypes } from './generated/event-types.js';
import type { BuiltInEventPayload, DeliveredEvent as AnyDeliveredEvent, EventPayload } from './generated/types.js';

/** An event type of a built-in resource, such as `ip_policy_created.v0`. */
export type BuiltInEventType = BuiltInEventPayload['event_type'];

/** An event as it arrives at a destination, with the types of `object` and `changes` of each built-in event type. */
export type DeliveredEvent = EventPayload & Pick<AnyDeliveredEvent, 'epoch' | 'sequence' | 'backfill'>;

const known: ReadonlySet<string> = new Set(builtInEventTypes);

/**
 * Whether this is the payload of an event of a built-in resource: a comparison of its `event_type` then gives `object`
 * and `changes` their types. It is false for events that the account published, and for event types that are younger
 * than this client. It checks the name of the type only, so the payload must come from Waybill.
 */
export function isBuiltInEvent<Payload extends { readonly event_type: string }>(
  payload: Payload,
): payload is Extract<Payload, { readonly event_type: BuiltInEventType }> {
  return known.has(payload.event_type);
}
