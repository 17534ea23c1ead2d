import { z } from 'zod';
import { boundedString, boundedTime } from '../bounds/bounded.js';
import { erasureKinds } from '../events/catalogue/erasure-event.js';
import { eventFilter } from '../events/log/event-filter.js';

const { object_id: objectId, principal_id: principalId, type } = eventFilter.shape;

/** A request to erase events. */
export const erasureRequest = z
  .strictObject({
    object_id: objectId.meta({ description: 'Erases the events of this resource.' }),
    type: type.meta({
      description: 'With `object_id`: only events of these types, where other resources have the id.',
    }),
    principal_id: principalId.meta({
      description: 'Erases the events of changes by this user, bot or principal of a publisher.',
    }),
    account: z.boolean().default(false).meta({ description: 'Erases the events of the whole account.' }),
    to: boundedTime.optional().meta({
      description:
        'Only events that were recorded before this time. Default, and latest: behind the newest event at the request, and at most two seconds after the request.',
    }),
    reason: boundedString(500).min(1, 'must not be empty').meta({
      description: 'Why. It is in the events about the erasure, which are never erased: name no person.',
    }),
  })
  .superRefine((request, context) => {
    const given = [request.object_id !== undefined, request.principal_id !== undefined, request.account];
    if (given.filter(Boolean).length !== 1)
      context.addIssue({ code: 'custom', message: 'must have exactly one of object_id, principal_id and account' });
    if (request.type !== undefined && request.object_id === undefined)
      context.addIssue({ code: 'custom', path: ['type'], message: 'is allowed only with object_id' });
  });

export type ErasureRequest = z.infer<typeof erasureRequest>;

/** An erasure in a response. */
export const erasureSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the erasure.', example: 'ers_01m7ywh8r1fkb9f0w6y9a3c2dz' }),
    uri: z.string().meta({ description: 'Address of the erasure.' }),
    state: z.enum(['running', 'finished', 'failed']).meta({
      description:
        '`finished`: every event that was named is erased. `failed`: the request or its numbers were changed in the database. An erasure cannot be cancelled.',
    }),
    kind: z.enum(erasureKinds).meta({ description: 'What was named.' }),
    subject_id: z.string().nullable().meta({
      description: 'Id of the resource or the principal. Null when the erasure is finished: it is erased too.',
    }),
    type: z.array(z.string()).meta({ description: 'Types of the events. Empty: all.' }),
    to: z.iso.datetime().meta({ description: 'Events recorded before this time.' }),
    reason: z.string(),
    events_erased: z.int().meta({ description: 'Number of events that are erased so far.' }),
    events_waiting: z.int().nullable().meta({
      description:
        'Number of events that wait for a delivery, and are erased when it has ended. Null before all events were looked at.',
    }),
    requested_by: z
      .object({ id: z.string(), subject: z.string() })
      .meta({ description: 'The user or bot who requested it, and their name at that time.' }),
    created_at: z.iso.datetime().meta({ description: 'When the erasure was requested.' }),
    finished_at: z.iso.datetime().nullable().meta({ description: 'When it was finished, or failed. Null before.' }),
  })
  .meta({ id: 'Erasure', description: 'The removal of what Waybill stores of events.' });

export type ErasureResponse = z.infer<typeof erasureSchema>;
