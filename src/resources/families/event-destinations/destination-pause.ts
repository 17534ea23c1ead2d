import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { boundedString, boundedTime } from '../../../bounds/bounded.js';
import { readDatabaseTime } from '../../../database/database-time.js';
import { readPause, type RecordedPause } from '../../../delivery/lanes/recorded-pause.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import { invalidInput, Problem, type InputError } from '../../../problems/problem.js';
import type { PendingChange } from '../../framework/definition/behaviour.js';

/** Most characters of a reason: a sentence or two, and the address of a ticket. */
const LONGEST_REASON = 500;

/** The pattern of a reason for the OpenAPI document: white space of Latin-1, and no NUL, which no text may have. */
const REASON = '^[\\t-\\r \\xa0]*[^\\x00\\t-\\r \\xa0][^\\x00]*$';

/** Returns the schema of a reason in a request. @param why the begin of its description */
export function reasonInput(why: string) {
  return boundedString(LONGEST_REASON)
    .check(z.minLength(1, { abort: true, error: 'must not be empty' }), z.regex(/\S/, 'must not be white space alone'))
    .meta({ description: `${why} At most ${LONGEST_REASON} characters.`, pattern: REASON });
}

/** Most characters of a read-only member in a request: names and ids of principals have at most 255. */
const LONGEST_REPEATED = 1_024;

const examples = [{ reason: 'The index of the SIEM is being rebuilt until noon.' }];

const newPause = z.strictObject({ reason: reasonInput('Why the destination is paused.') });

/** A pause in a create. */
export const pauseInput = newPause.meta({ examples });

const repeated = boundedString(LONGEST_REPEATED);

/** Members that only responses have, in an update. @param description when they are accepted */
export function readOnlyInput(description: string) {
  return {
    since: boundedTime.optional().meta({ description }),
    principal: z
      .strictObject({ id: repeated, subject: repeated, credential_id: repeated.nullable() })
      .optional()
      .meta({ description }),
  };
}

/** A pause in an update: a new one, or the present one with the members that only responses have. */
export const pauseUpdate = newPause
  .extend(readOnlyInput('Read-only. Accepted as in responses, while that pause lasts.'))
  .meta({ examples });

type PauseUpdate = z.infer<typeof pauseUpdate>;

/**
 * Returns the pause of a destination after a change: the stored one, none, or the one that the change asks for, with
 * who asks for it and the time of the database. The stored one stays when it is sent back as a response has it.
 * @throws Problem `destination_paused` when the destination is paused already: who paused it, and why, would be lost;
 * `invalid_input` for read-only members where it is not
 */
export async function pauseAfter({ trx, context, before, attributes }: PendingChange): Promise<RecordedPause | null> {
  const given = attributes.paused ?? null;
  if (given === null) return null;
  const current = before && readPause(before.attributes.paused);
  if (isDeepStrictEqual(given, before?.attributes.paused)) return current;
  const asked = pauseUpdate.parse(given);
  if (current) return unchangedPause(current, asked);
  const readOnly = readOnlyMembers(asked).map((name) => ({
    pointer: `/paused/${name}`,
    detail: 'is read-only, and the destination is not paused: leave it out to pause the destination',
  }));
  if (readOnly.length > 0) throw invalidInput(readOnly);
  return { reason: asked.reason, since: (await readDatabaseTime(trx)).toISOString(), principal: actorOf(context) };
}

/** Returns who makes a request, as pauses and mutes name them. */
export function actorOf({ principal, credential }: RequestContext): RecordedPause['principal'] {
  return { id: principal.id, subject: principal.name, credential_id: credential?.id ?? null };
}

/** Returns the names of the read-only members that a request has. */
export function readOnlyMembers(asked: Pick<PauseUpdate, 'since' | 'principal'>): readonly string[] {
  return (['since', 'principal'] as const).filter((name) => asked[name] !== undefined);
}

/** Returns the present pause, if that is what was sent back. @throws Problem `destination_paused` */
function unchangedPause(current: RecordedPause, asked: PauseUpdate): RecordedPause {
  const detail = 'is set already: end the pause with null before you pause again';
  if (readOnlyMembers(asked).length === 0) throw alreadyPaused(current, [{ pointer: '/paused', detail }]);
  const others = differences(current, asked);
  if (others.length === 0) return current;
  const errors = others.map((pointer) => ({ pointer, detail: 'differs from the present pause, which cannot change' }));
  throw alreadyPaused(current, errors);
}

/** Returns the pointers of the members that differ from the present pause. */
function differences(current: RecordedPause, { reason: given, since, principal }: PauseUpdate): readonly string[] {
  const members = (['id', 'subject', 'credential_id'] as const).filter(
    (name) => principal !== undefined && principal[name] !== current.principal[name],
  );
  return [
    ...(given === current.reason ? [] : ['/paused/reason']),
    ...(since === undefined || Date.parse(since) === Date.parse(current.since) ? [] : ['/paused/since']),
    ...members.map((name) => `/paused/principal/${name}`),
  ];
}

function alreadyPaused(current: RecordedPause, errors: readonly InputError[]): Problem {
  const { since, principal, reason: given } = current;
  const detail = `The event destination was paused at ${since} by ${principal.subject} (${principal.id}): ${given}`;
  return new Problem('destination_paused', detail, { errors });
}
