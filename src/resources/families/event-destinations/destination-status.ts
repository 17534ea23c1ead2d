import { z } from 'zod';
import { MAX_COUNTED, type LaneView } from '../../../delivery/views/lane-view-store.js';

const counted = `Counted up to ${MAX_COUNTED}.`;

/** How a destination is doing, as the API shows it. */
export const destinationStatus = z
  .object({
    uri: z.string().meta({ description: 'Address of this status.' }),
    status: z.enum(['healthy', 'retrying', 'misconfigured']).meta({
      description:
        '`retrying`: the last try failed for a reason that passes. `misconfigured`: it failed because the destination is set up wrong; nothing is lost, and a change or a test of the destination tries again at once.',
    }),
    since: z.iso.datetime().meta({ description: 'How long it has had this status.' }),
    last_error: z
      .object({ code: z.string(), message: z.string(), at: z.iso.datetime() })
      .nullable()
      .meta({ description: 'The last one there was, also when the destination has recovered since.' }),
    pending: z.int().meta({
      description: `Events that are still to be delivered: those that the list of deliveries shows as \`pending\` and as \`in_flight\`. ${counted}`,
    }),
    pending_is_lower_bound: z.boolean().meta({ description: 'There are more than `pending` says.' }),
    in_flight: z.int().meta({
      description:
        'How many of them are in the batch that is being sent or retried: those that the list of deliveries shows as `in_flight`.',
    }),
    oldest_pending_at: z.iso.datetime().nullable().meta({ description: 'When the first of them happened.' }),
    next_attempt_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it is tried again after a failure; null when nothing holds it back.' }),
    last_sequence: z
      .int()
      .meta({ description: 'The highest `sequence` that was given to an event, 0 before the first.' }),
  })
  .meta({ id: 'EventDestinationStatus', description: 'How an event destination is doing.' });

export type DestinationStatus = z.infer<typeof destinationStatus>;

/** Shows how a destination is doing. */
export function toStatusResponse(lane: LaneView, baseUrl: string): DestinationStatus {
  const { lastError, pending } = lane;
  return {
    uri: `${baseUrl}/event_destinations/${lane.destinationId}/status`,
    status: lane.status,
    since: lane.since.toISOString(),
    last_error: lastError && { ...lastError, at: lastError.at.toISOString() },
    pending: pending.count,
    pending_is_lower_bound: pending.isLowerBound,
    in_flight: lane.inFlight,
    oldest_pending_at: lane.oldestPendingAt?.toISOString() ?? null,
    next_attempt_at: lane.nextAttemptAt?.toISOString() ?? null,
    last_sequence: lane.lastSequence,
  };
}
