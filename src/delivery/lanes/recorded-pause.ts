import { z } from 'zod';

/** A pause as it is stored, and in responses and events. */
export const recordedPause = z
  .object({
    reason: z.string().meta({ description: 'The reason that was given.' }),
    since: z.iso.datetime().meta({ description: 'When the destination was paused.' }),
    principal: z
      .object({
        id: z.string().meta({ description: 'Id of the user or bot.' }),
        subject: z.string().meta({ description: 'Name of the user or bot at that time.' }),
        credential_id: z
          .string()
          .nullable()
          .meta({ description: 'Id of the API key of the request. Null where the service itself acted.' }),
      })
      .meta({ description: 'Who paused it.' }),
  })
  .meta({ id: 'EventDestinationPause', description: 'Why, since when and by whom a destination is paused.' });

export type RecordedPause = z.infer<typeof recordedPause>;

const storedPause = recordedPause.nullable().default(null);

/** Returns a pause as it is stored; null without one, as in a destination that is older than pauses. */
export function readPause(stored: unknown): RecordedPause | null {
  return storedPause.parse(stored ?? undefined);
}
