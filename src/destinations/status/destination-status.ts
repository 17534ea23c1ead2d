import { z } from 'zod';
import { laneStates } from '../../delivery/lanes/lane-state.js';
import { readMute, readPause, recordedMute, recordedPause } from '../../delivery/lanes/recorded-pause.js';
import { targetKinds } from '../../targets/target.js';
import { MAX_COUNTED, MAX_COUNTED_IN_PAGE, type LaneView } from './lane-view-store.js';

const counted = `Counted up to ${MAX_COUNTED}; in the list of all destinations, up to ${MAX_COUNTED_IN_PAGE}.`;

/** Status of a destination in a response. */
export const destinationStatus = z
  .object({
    id: z.string().meta({ description: 'Id of the destination.' }),
    uri: z.string().meta({ description: 'Address of this status.' }),
    description: z.string().nullable().meta({ description: 'The description of the destination. Null when unset.' }),
    target_kind: z.enum(targetKinds).meta({ description: 'The kind of target: the member of `target` that is set.' }),
    status: z.enum(laneStates).meta({
      description:
        '`retrying`: the last attempt failed for a temporary reason. `misconfigured`: the last attempt failed because of the configuration of the destination. No event is lost; an update or a test of the destination retries at once. `paused`: its events wait until the pause is ended, see `paused`.',
    }),
    since: z.iso.datetime().meta({ description: 'When the destination entered this status.' }),
    paused: recordedPause.nullable().meta({ description: 'The pause; null while the destination is not paused.' }),
    muted: recordedMute.nullable().meta({ description: 'The mute; null while the destination is not muted.' }),
    last_error: z.object({ code: z.string(), message: z.string(), at: z.iso.datetime() }).nullable().meta({
      description:
        'The last error. It stays after the destination is healthy: `status` says whether something is wrong now. Null when there was none.',
    }),
    pending: z.int().meta({
      description: `Number of deliveries in the states \`pending\` and \`in_flight\`. ${counted}`,
    }),
    pending_is_lower_bound: z.boolean().meta({ description: 'Whether the real number is higher than `pending`.' }),
    in_flight: z.int().meta({
      description:
        'Number of deliveries in the state `in_flight`: the batch that is being sent or retried. A pause leaves it: the call under way ends, and what failed is retried after the pause.',
    }),
    oldest_pending_at: z.iso.datetime().nullable().meta({
      description: 'When the event of the oldest pending delivery happened. Null when nothing is pending.',
    }),
    oldest_expires_at: z.iso.datetime().nullable().meta({
      description:
        'When the first of the oldest 1,000 pending deliveries becomes `expired`, if the destination still fails then. Null when nothing is pending, and while the destination is paused: a pause moves the deadline.',
    }),
    next_attempt_at: z.iso.datetime().nullable().meta({
      description:
        'When the next attempt is made after a failure. Null when the destination is not in backoff, and while it is paused.',
    }),
    last_sequence: z.int().meta({ description: 'Highest `sequence` that was assigned. 0 before the first event.' }),
    epoch: z.int().meta({
      description: 'Current epoch. It increases when the database was restored or failed over.',
    }),
    epochs: z.array(z.object({ epoch: z.int(), first_sequence: z.int() })).meta({
      description:
        'Every epoch with its first `sequence`, oldest first. A number belongs to the last epoch that begins at it or before.',
    }),
  })
  .meta({ id: 'EventDestinationStatus', description: 'Status of an event destination.' });

export type DestinationStatus = z.infer<typeof destinationStatus>;

/** Converts the lane of a destination to its status in a response. */
export function toStatusResponse(lane: LaneView, baseUrl: string): DestinationStatus {
  const { lastErrorAt: at, lastErrorCode: code, lastErrorMessage: message, epoch } = lane;
  return {
    id: lane.destinationId,
    uri: `${baseUrl}/event_destinations/${lane.destinationId}/status`,
    description: lane.description,
    target_kind: lane.targetKind,
    status: lane.state,
    since: lane.since.toISOString(),
    paused: readPause(lane.paused),
    muted: readMute(lane.muted),
    last_error: at && { code: code ?? '', message: message ?? '', at: at.toISOString() },
    pending: Math.min(lane.counted, lane.mostCounted),
    pending_is_lower_bound: lane.counted > lane.mostCounted,
    in_flight: lane.inFlight,
    oldest_pending_at: lane.oldestPendingAt?.toISOString() ?? null,
    oldest_expires_at: lane.oldestExpiresAt?.toISOString() ?? null,
    next_attempt_at: lane.nextAttemptAt?.toISOString() ?? null,
    last_sequence: lane.lastSequence,
    epoch,
    epochs: [...(lane.earlierEpochs ?? []), { epoch, first_sequence: lane.epochFirstSequence }],
  };
}
