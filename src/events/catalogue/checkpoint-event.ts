import { z } from 'zod';
import { systemEventOf } from '../envelope/new-event.js';
import type { AddressedEvent } from '../envelope/stored-event.js';

/** A signed checkpoint of the log of a destination, for that destination. */
export const checkpointEvent = {
  type: 'event_destination_checkpoint_signed.v0',
  description:
    'Sent to an event destination when the log that proves its events was signed: at most once a minute, by default, while it receives other events. It cannot be a source of a subscription. Its `resource_id` is the origin of the log.',
  version: z.literal(0).meta({ description: 'Always 0: the event reports no state of a resource.' }),
  read: z.object({
    id: z.string().meta({ description: 'The event destination.' }),
    epoch: z.int().min(1).meta({ description: 'The epoch of the log.', example: 1 }),
    log: z.string().meta({ description: 'Origin of the log.', example: 'waybill.example.com/ed_1/1' }),
    size: z.int().min(1).meta({ description: 'Number of leaves.', example: 12 }),
    checkpoint: z.string().meta({
      description: 'Signed note (c2sp.org/tlog-checkpoint): origin, size and root of the log, with a signature.',
      example:
        'waybill.example.com/ed_1/1\n12\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— waybill.example.com/ed_1/1 Az3grl…\n',
    }),
    cosigned: z.string().nullable().meta({
      description:
        'The last checkpoint before it with cosignatures (c2sp.org/tlog-cosignature), which others make after it is signed. Null: there is none.',
      example: null,
    }),
  }),
} as const;

/** Returns the event of a checkpoint, for its destination. */
export function checkpointOf(accountId: string, object: z.infer<typeof checkpointEvent.read>): AddressedEvent {
  // The log as the resource: the history of the destination stays readable.
  const state = { type: checkpointEvent.type, resourceId: object.log, object };
  return { ...systemEventOf(accountId, 'proof', state), destinationId: object.id };
}
