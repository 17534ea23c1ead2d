import { z } from 'zod';

const reason = z.string().meta({ description: 'The reason that was given.' });

const principal = z.object({
  id: z.string().meta({ description: 'Id of the user or bot.' }),
  subject: z.string().meta({ description: 'Name of the user or bot at that time.' }),
  credential_id: z
    .string()
    .nullable()
    .meta({ description: 'Id of the API key of the request. Null where the service itself acted.' }),
});

/** A pause as it is stored, and in responses and events. */
export const recordedPause = z
  .object({
    reason,
    since: z.iso.datetime().meta({ description: 'When the destination was paused.' }),
    principal: principal.meta({ description: 'Who paused it.' }),
  })
  .meta({ id: 'EventDestinationPause', description: 'Why, since when and by whom a destination is paused.' });

export type RecordedPause = z.infer<typeof recordedPause>;

const storedPause = recordedPause.nullable().default(null);

/** Returns a pause as it is stored; null without one, as in a destination that is older than pauses. */
export function readPause(stored: unknown): RecordedPause | null {
  return storedPause.parse(stored ?? undefined);
}

/** A mute as it is stored, and in responses and events. */
export const recordedMute = z
  .object({
    reason,
    until: z.iso.datetime().meta({ description: 'When the mute ends. The member stays, without an effect.' }),
    since: z.iso.datetime().meta({ description: 'When the destination was muted.' }),
    principal: principal.meta({ description: 'Who muted it.' }),
  })
  .meta({ id: 'EventDestinationMute', description: 'Why, until when and by whom a destination is muted.' });

export type RecordedMute = z.infer<typeof recordedMute>;

const storedMute = recordedMute.nullable().default(null);

/** Returns a mute as it is stored; null without one, as in a destination that is older than mutes. */
export function readMute(stored: unknown): RecordedMute | null {
  return storedMute.parse(stored ?? undefined);
}
