import type { RequestContext } from '../../http/request/request-context.js';
import { newId } from '../../ids/id.js';
import type { InputError } from '../../problems/problem.js';

/** A principal as a publisher names it. */
interface GivenPrincipal {
  readonly id: string;
  readonly subject?: string | null | undefined;
}

/** Id of the principal of changes by the service itself. */
const SYSTEM_ID = 'system';
/** Beginning of its subjects. The component follows. A publisher may claim none of them. */
export const SYSTEM_SUBJECT = 'system:';
/** Id of the principal of published events that name none. */
const UNKNOWN_ID = 'unknown';
/** The principal of published events that name none: nobody who made the change is known, and the key did not. */
export const unknownPrincipal: GivenPrincipal = { id: UNKNOWN_ID };
/** Ids of principals that a publisher may not claim. */
export const RESERVED_PRINCIPAL_IDS: readonly string[] = [SYSTEM_ID, UNKNOWN_ID];

/**
 * Spaces, controls and characters that nobody sees: the members of a class of a regular expression, for JavaScript and
 * Postgres.
 */
export const UNSEEN_CHARACTERS = [
  ['\u0001', ' '],
  ['\u007f', '\u00a0'],
  ['\u00ad'],
  ['\u034f'],
  ['\u061c'],
  ['\u115f', '\u1160'],
  ['\u1680'],
  ['\u17b4', '\u17b5'],
  ['\u180b', '\u180f'],
  ['\u2000', '\u200f'],
  ['\u2028', '\u202f'],
  ['\u205f', '\u206f'],
  ['\u2800'],
  ['\u3000'],
  ['\u3164'],
  ['\ufe00', '\ufe0f'],
  ['\ufeff'],
  ['\uffa0'],
  ['\ufff0', '\ufffb'],
  ['\u{1bca0}', '\u{1bca3}'],
  ['\u{1d173}', '\u{1d17a}'],
  ['\u{e0000}', '\u{e0fff}'],
]
  .map((range) => range.join('-'))
  .join('');
const unseen = new RegExp(`[${UNSEEN_CHARACTERS}]`, 'gu');

/** Returns a name as it is compared: people read names that differ only in this as one. */
function comparable(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFKC').replaceAll(unseen, '');
}

/** Returns the principal of changes by a component of the service. */
export function systemPrincipal(component: string): RequestContext['principal'] {
  return { id: SYSTEM_ID, kind: 'system', name: `${SYSTEM_SUBJECT}${component}`, admin: true };
}

/**
 * Returns why a publisher may not name this principal: only Waybill itself names it. Letter case, compatibility forms,
 * spaces and unseen characters make no difference.
 */
export function reservedPrincipalErrors({ id, subject }: GivenPrincipal): readonly InputError[] {
  const of = 'is reserved for changes that Waybill itself makes';
  const errors: InputError[] = [];
  const given = comparable(id);
  if (given === SYSTEM_ID) errors.push({ pointer: '/id', detail: `"${SYSTEM_ID}" ${of}` });
  if (given === UNKNOWN_ID)
    errors.push({ pointer: '/id', detail: `"${UNKNOWN_ID}" is reserved for events without a principal` });
  if (comparable(subject ?? id).startsWith(SYSTEM_SUBJECT)) {
    const pointer = subject == null ? '/id' : '/subject';
    errors.push({ pointer, detail: `a name that begins with "${SYSTEM_SUBJECT}" ${of}` });
  }
  return errors;
}

/**
 * Returns the context of a change by the service itself. The principal of its event has the id
 * `system`, the subject `system:<component>` and no credential. The event has neither IP address nor user agent.
 * @param component the part of the service that makes the change, such as `certificates`
 * @param baseUrl base of every `uri` in the event
 * @param operationId the operation that asked for the change, or a new one
 */
export function systemContext(
  accountId: string,
  component: string,
  baseUrl: string,
  operationId: string = newId('op'),
): RequestContext {
  return {
    accountId,
    principal: systemPrincipal(component),
    credential: null,
    operationId,
    baseUrl,
    ip: null,
    userAgent: null,
    ifMatch: null,
    reservation: null,
  };
}
