import { z } from 'zod';
import type { WitnessedStart } from '../../delivery/recovery/epoch-starts.js';
import { systemEventOf } from '../envelope/new-event.js';
import type { AddressedEvent } from '../envelope/stored-event.js';

const mark = z.object({ epoch: z.int().min(1), sequence: z.int().min(0) });

/** The first event of a destination in an epoch. Every destination receives it, subscribed or not. */
export const epochStartedEvent = {
  type: 'event_destination_epoch_started.v0',
  description:
    'Sent to every event destination when an epoch began, because the database was restored or failed over. It cannot be a source of a subscription.',
  version: z.literal(0).meta({
    description: 'Always 0: the event reports no state of the event destination, and overtakes its waiting changes.',
  }),
  read: z.object({
    id: z.string().meta({ description: 'The event destination.' }),
    epoch: z.int().min(1).meta({ description: 'The epoch that began.', example: 1_795_411_234 }),
    began_at: z.iso.datetime(),
    reason: z.enum(['database_copied', 'other_system', 'other_timeline', 'numbers_lost', 'declared']).meta({
      description:
        '`database_copied`: the data was restored from a dump or replicated logically. `other_system`: another database server. `other_timeline`: a failover, or a recovery to a point in time. `numbers_lost`: a witness knows higher numbers than the database. `declared`: the operator declared a recovery.',
    }),
    undone: z
      .object({
        after: mark.meta({
          description: 'The last number on record. Sequence 0: none.',
          example: { epoch: 1, sequence: 23 },
        }),
        before: mark.meta({
          description: 'The number of this event.',
          example: { epoch: 1_795_411_234, sequence: 24 },
        }),
        witnessed: mark.nullable().meta({
          description:
            'The highest number in the range that a witness outside the database knows. Higher ones are possible. Null when it knows none.',
          example: { epoch: 1, sequence: 34 },
        }),
      })
      .meta({
        description:
          'The numbers, ordered by epoch and sequence, between which events may be undone: they were delivered before, and the database does not know them now. Neither does it have their changes.',
      }),
  }),
} as const;

/** Returns the event that marks the start of an epoch in a lane, for its destination. */
export function epochStartedMarker(start: WitnessedStart): AddressedEvent {
  const { destinationId, accountId, epoch, last } = start;
  const object = {
    id: destinationId,
    epoch,
    began_at: start.beganAt.toISOString(),
    reason: start.reason,
    undone: { after: last, before: { epoch, sequence: last.sequence + 1 }, witnessed: start.witnessed },
  };
  // The marker overtakes the waiting events of its destination: with a version it would hide those with lower ones.
  const state = { type: epochStartedEvent.type, resourceId: destinationId, object };
  return { ...systemEventOf(accountId, 'recovery', state), destinationId };
}
