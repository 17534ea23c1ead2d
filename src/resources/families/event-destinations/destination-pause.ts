import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { readDatabaseTime } from '../../../database/database-time.js';
import { Problem } from '../../../problems/problem.js';
import type { PendingChange } from '../../framework/behaviour.js';
import type { Attributes } from '../../framework/definition.js';

/** Most characters of a reason: a sentence or two, and the address of a ticket. */
const LONGEST_REASON = 500;

const reason = boundedString(LONGEST_REASON).check(z.minLength(1, 'must not be empty'));

/** A pause in a request. */
export const pauseInput = z
  .strictObject({
    reason: reason.meta({ description: `Why the destination is paused. At most ${LONGEST_REASON} characters.` }),
  })
  .meta({ examples: [{ reason: 'The index of the SIEM is being rebuilt until noon.' }] });

/** A pause as it is stored, and in responses and events. */
export const destinationPause = z
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

export type DestinationPause = z.infer<typeof destinationPause>;

const storedPause = destinationPause.nullable().default(null);

/** Returns a pause as it is stored; null without one, as in a destination that is older than pauses. */
export function readPause(stored: unknown): DestinationPause | null {
  return storedPause.parse(stored ?? undefined);
}

/**
 * Returns the pause of a destination after a change: the stored one, none, or the one that the change asks for, with
 * who asks for it and the time of the database.
 * @throws Problem `destination_paused` when the destination is paused already: who paused it, and why, would be lost
 */
export async function pauseAfter({
  trx,
  context,
  before,
  attributes,
}: PendingChange): Promise<DestinationPause | null> {
  const given = attributes.paused ?? null;
  if (given === null) return null;
  const current = before && readPause(before.attributes.paused);
  if (!isRequested(attributes)) return current;
  if (current) throw alreadyPaused(current);
  const { principal, credential } = context;
  return {
    reason: pauseInput.parse(given).reason,
    since: (await readDatabaseTime(trx)).toISOString(),
    principal: { id: principal.id, subject: principal.name, credential_id: credential?.id ?? null },
  };
}

/** Whether a pause comes from a request. The stored one has members that no request has. */
function isRequested({ paused }: Attributes): boolean {
  return pauseInput.safeParse(paused).success;
}

function alreadyPaused({ since, principal, reason: given }: DestinationPause): Problem {
  const detail = `The event destination was paused at ${since} by ${principal.subject} (${principal.id}): ${given}`;
  const errors = [{ pointer: '/paused', detail: 'is set already: end the pause with null before you pause again' }];
  return new Problem('conflict', 'destination_paused', detail, { errors });
}
