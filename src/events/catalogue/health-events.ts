import { z } from 'zod';
import { healthEventTypes } from '../../delivery/attempts/health-event-types.js';
import { laneStates } from '../../delivery/lanes/lane-state.js';
import { recordedMute, recordedPause } from '../../delivery/lanes/recorded-pause.js';

const version = z.literal(0).meta({
  description: 'Always 0: the event reports the health of an event destination, and no state of a resource.',
});

const destination = {
  id: z.string().meta({ description: 'The event destination.' }),
  description: z.string().meta({ description: 'Its `description`.' }),
  metadata: z.string().meta({ description: 'Its `metadata`.' }),
};

/** Statuses that an event reports. */
const status = z.enum(laneStates);

/**
 * The event of a changed status. It has neither the target nor messages of the vendor: it goes to another destination,
 * whose owner may be a third party.
 */
export const statusChangedEvent = {
  type: healthEventTypes.statusChanged,
  description:
    'Sent when an event destination has had another status for a minute, or longer where it changes often. Never sent to the destination itself.',
  version,
  read: z.object({
    ...destination,
    status: status.meta({ description: 'The status now. `GET /event_destinations/{id}/status` says more.' }),
    since: z.iso.datetime().meta({ description: 'When the destination entered this status.' }),
    previous_status: status.meta({ description: 'The status that the last such event reported; at first `healthy`.' }),
    error_code: z.string().nullable().meta({
      description:
        'Code of the last error. Null where the last attempt succeeded: always where it is healthy, and mostly where it is paused.',
    }),
    paused: recordedPause.nullable().meta({ description: 'The pause, where the status is `paused`. Otherwise null.' }),
    muted: recordedMute.nullable().meta({ description: 'The mute, while the destination is muted. Otherwise null.' }),
  }),
} as const;

/** The event of rejected deliveries. */
export const deliveryRejectedEvent = {
  type: healthEventTypes.deliveryRejected,
  description:
    'Sent when deliveries were rejected permanently: one event for all rejections of about a minute. Never sent to the destination itself.',
  version,
  read: z.object({
    ...destination,
    count: z.int().min(1).meta({ description: 'Number of rejected deliveries.' }),
    first_sequence: z.int().min(1).meta({ description: 'Lowest `sequence` of them.' }),
    last_sequence: z.int().min(1).meta({ description: 'Highest `sequence` of them.' }),
    first_at: z.iso.datetime().meta({ description: 'When the first of them was rejected.' }),
    last_at: z.iso.datetime().meta({ description: 'When the last of them was rejected.' }),
    error_code: z.string().meta({
      description:
        'Why the first of them was rejected. `GET /event_destinations/{id}/deliveries?state=rejected` has all.',
    }),
  }),
} as const;

/** The event types about the health of destinations. */
export const healthEvents = [statusChangedEvent, deliveryRejectedEvent];
