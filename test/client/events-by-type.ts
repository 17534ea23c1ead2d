import { isBuiltInEvent, type DeliveredEvent, type EventPayload } from '@waybill/client';

/** Describes an event. The compiler knows `object` and `changes` of each type. */
export function describeEvent(event: EventPayload): string {
  const who = event.principal.subject;
  if (!isBuiltInEvent(event)) return `${who}: ${event.event_type} ${JSON.stringify(event.object)}`;
  switch (event.event_type) {
    case 'ip_policy_created.v0':
      return `${who} created the policy ${event.object.description ?? ''}`;
    case 'ip_policy_updated.v0': {
      const { before, after, omitted = [] } = event.changes;
      return `${who} changed ${before.description ?? ''} to ${after.description ?? ''}, ${omitted.length} omitted`;
    }
    case 'bot_user_deleted.v0':
      return `${who} deleted ${event.object.name}, active: ${String(event.object.active)}`;
    case 'event_destination_updated.v0':
      return `${who} changed ${event.changes.after.target?.data_stream?.stream_arn ?? ''}`;
    case 'event_destination_epoch_started.v0':
      return `epoch ${event.object.epoch}: ${event.object.reason}, undone after ${event.object.undone.after.sequence}`;
    default:
      return `${who}: ${event.event_type} ${event.object.id}`;
  }
}

/** Describes an event as it arrives at a destination. It has a number, whatever its type is. */
export function describeDelivered(event: DeliveredEvent): string {
  const number = `${event.epoch}/${event.sequence}`;
  if (isBuiltInEvent(event) && event.event_type === 'ip_policy_updated.v0')
    return `${number} ${String(event.epoch === event.version)} ${Object.keys(event.changes.after).join()}`;
  return `${number} ${describeEvent(event)}`;
}

/** Mistakes that the compiler finds: an unused `@ts-expect-error` is an error. */
export function mistakes(event: EventPayload): readonly unknown[] {
  // @ts-expect-error the account may have published an event of this name: isBuiltInEvent comes first
  if (event.event_type === 'bot_user_created.v0') return [event.object.name.length];
  if (!isBuiltInEvent(event)) {
    // @ts-expect-error the members of a published object are unknown
    const status: string = event.object['status'];
    // @ts-expect-error a published event may have no changes
    const changes: object = event.changes;
    return [status, changes];
  }
  if (event.event_type === 'ip_policy_created.v0')
    return [
      // @ts-expect-error only an update has changes
      event.changes,
      // @ts-expect-error a policy has no name
      event.object.name,
    ];
  if (event.event_type === 'bot_user_updated.v0')
    return [
      event.object.name.length,
      // @ts-expect-error a member that has not changed is absent
      event.changes.before.name.length,
      // @ts-expect-error a bot user has no such member
      event.changes.after.cidr,
    ];
  // @ts-expect-error no event has this type
  if (event.event_type === 'ip_policy_exploded.v0') return [];
  // @ts-expect-error only the event of a delivery has a number for sure
  const number: number = event.sequence;
  return [number];
}
