import { z } from 'zod';

const version = z.literal(0).meta({
  description: 'Always 0: the event reports an operation, and no state of a resource.',
});

const read = z.object({
  id: z.string().meta({ description: 'The recovery.' }),
  state: z.enum(['running', 'finished', 'cancelled']).meta({ description: 'Its state at the time of the event.' }),
  from: z.iso.datetime().meta({ description: 'Events recorded at or after this time.' }),
  to: z.iso.datetime().meta({ description: 'Events recorded before this time.' }),
  states: z.array(z.enum(['rejected', 'expired'])).meta({ description: 'States of the deliveries.' }),
  destination_ids: z.array(z.string()).nullable().meta({ description: 'The destinations. Null: every one.' }),
  events_total: z.int().nullable().meta({
    description: 'Number of events at the request. Null where there were too many to count them.',
  }),
  events_redelivered: z.int().meta({ description: 'Number of events that were queued again so far.' }),
});

/** The event of a requested recovery. */
export const recoveryStartedEvent = {
  type: 'event_delivery_recovery_started.v0',
  description:
    'Sent when the redelivery of rejected and expired events to several event destinations was requested. `principal` requested it.',
  version,
  read,
} as const;

/** The event of a recovery that has ended. */
export const recoveryEndedEvent = {
  type: 'event_delivery_recovery_ended.v0',
  description: 'Sent when such a redelivery has ended: every event is queued again, or `principal` has cancelled it.',
  version,
  read,
} as const;

/** The event types about recoveries. */
export const recoveryEvents = [recoveryStartedEvent, recoveryEndedEvent];

/** Type of an event about a recovery. */
export type RecoveryEventType = (typeof recoveryEvents)[number]['type'];
