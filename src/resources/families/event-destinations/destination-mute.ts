import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { boundedTime } from '../../../bounds/bounded.js';
import { readDatabaseTime } from '../../../database/database-time.js';
import { readMute, type RecordedMute } from '../../../delivery/lanes/recorded-pause.js';
import { invalidInput } from '../../../problems/problem.js';
import type { PendingChange } from '../../framework/definition/behaviour.js';
import { actorOf, readOnlyInput, readOnlyMembers, reasonInput } from './destination-pause.js';

const newMute = z.strictObject({
  reason: reasonInput('Why the destination is muted.'),
  until: boundedTime.meta({ description: 'When the mute ends by itself. In the past: the destination is not muted.' }),
});

const examples = [{ reason: 'The SIEM is being moved, see OPS-512.', until: '2026-12-01T08:00:00Z' }];

/** A mute in a create. */
export const muteInput = newMute.meta({ examples });

/** A mute in an update: a new one, or the present one with the members that only responses have. */
export const muteUpdate = newMute
  .extend(readOnlyInput('Read-only. Accepted as in responses, for that mute.'))
  .meta({ examples });

type MuteUpdate = z.infer<typeof muteUpdate>;

/**
 * Returns the mute of a destination after a change: the stored one, none, or the one that the change asks for, with
 * who asks for it and the time of the database. A new one takes the place of the stored one.
 * @throws Problem `invalid_input` for read-only members that are not those of the stored mute
 */
export async function muteAfter({ trx, context, before, attributes }: PendingChange): Promise<RecordedMute | null> {
  const given = attributes.muted ?? null;
  if (given === null) return null;
  const asked = muteUpdate.parse(given);
  const current = before && readMute(before.attributes.muted);
  if (current && isSame(current, asked)) return current;
  const detail = 'is read-only, and differs from the present mute: leave it out to mute the destination';
  const readOnly = readOnlyMembers(asked).map((name) => ({ pointer: `/muted/${name}`, detail }));
  if (readOnly.length > 0) throw invalidInput(readOnly);
  return {
    reason: asked.reason,
    until: new Date(asked.until).toISOString(),
    since: (await readDatabaseTime(trx)).toISOString(),
    principal: actorOf(context),
  };
}

function isSame(current: RecordedMute, { reason, until, since, principal }: MuteUpdate): boolean {
  return (
    reason === current.reason &&
    Date.parse(until) === Date.parse(current.until) &&
    (since === undefined || Date.parse(since) === Date.parse(current.since)) &&
    (principal === undefined || isDeepStrictEqual(principal, current.principal))
  );
}
