import { ERASURE_EVENT } from '@waybill/verify';
import { z } from 'zod';
import { systemEventOf } from '../envelope/new-event.js';
import type { NewEvent } from '../envelope/stored-event.js';

/** What an erasure can name. */
export const erasureKinds = ['object', 'principal', 'account'] as const;

/** The event that says that events were erased: for each record of a log, and at the end of the erasure. */
export const erasureEvent = {
  type: ERASURE_EVENT,
  description:
    'Sent to an event destination when events that it received were erased at Waybill: the log of the destination keeps their leaves. At the end of the erasure, the account gets one that is sent to no destination. It cannot be a source of a subscription.',
  version: z.literal(0).meta({ description: 'Always 0: the event reports no state of a resource.' }),
  read: z.object({
    id: z.string().meta({
      description: 'The erasure. Also the `resource_id`.',
      example: 'ers_01m7ywh8r1fkb9f0w6y9a3c2dz',
    }),
    kind: z.enum(erasureKinds).meta({
      description: 'What was named: a resource, a principal or the account. Its id is erased as well.',
    }),
    to: z.iso.datetime().meta({ description: 'Only events that were recorded before this time are erased.' }),
    reason: z.string().meta({ description: 'The reason, as it was given.' }),
    requested_by: z
      .object({ id: z.string(), subject: z.string() })
      .meta({ description: 'The user or bot who requested it, and their name at that time.' }),
    requested_at: z.iso.datetime(),
    events: z.int().meta({ description: 'Number of events in the record; at the end, of all erased events.' }),
    log: z.string().nullable().meta({
      description: 'Origin of the log. Null at the end.',
      example: 'waybill.example.com/ed_1/1',
    }),
    record: z.string().nullable().meta({
      description:
        'Signed note of the log: its origin, the erasure, the time, and the indexes of the events. Null at the end.',
      example:
        'waybill.example.com/ed_1/1\nerasure ers_01m7ywh8r1fkb9f0w6y9a3c2dz\n2026-11-24T23:10:00.000Z\n3-4\n9\n\n— waybill.example.com/ed_1/1 Az3grl…\n',
    }),
  }),
} as const;

/** Returns the event that says that events of an account were erased. */
export function erasureEventOf(accountId: string, object: z.infer<typeof erasureEvent.read>): NewEvent {
  return systemEventOf(accountId, 'erasure', { type: erasureEvent.type, resourceId: object.id, object });
}
