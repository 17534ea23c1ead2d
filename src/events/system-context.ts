import type { RequestContext } from '../http/request-context.js';
import { newId } from '../ids/id.js';
import type { InputError } from '../problems/problem.js';
import type { PublishedEvent } from './publishing/published-event.js';

type GivenPrincipal = NonNullable<PublishedEvent['principal']>;

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

/** Returns the principal of changes by a component of the service. */
export function systemPrincipal(component: string): RequestContext['principal'] {
  return { id: SYSTEM_ID, kind: 'system', name: `${SYSTEM_SUBJECT}${component}`, admin: true };
}

/** Returns why a publisher may not name this principal: only Waybill itself names it. */
export function reservedPrincipalErrors({ id, subject }: GivenPrincipal): readonly InputError[] {
  const of = 'is reserved for changes that Waybill itself makes';
  const errors: InputError[] = [];
  if (id === SYSTEM_ID) errors.push({ pointer: '/id', detail: `"${SYSTEM_ID}" ${of}` });
  if (id === UNKNOWN_ID)
    errors.push({ pointer: '/id', detail: `"${UNKNOWN_ID}" is reserved for events without a principal` });
  if ((subject ?? id).startsWith(SYSTEM_SUBJECT)) {
    const pointer = subject == null ? '/id' : '/subject';
    errors.push({ pointer, detail: `a name that begins with "${SYSTEM_SUBJECT}" ${of}` });
  }
  return errors;
}

/**
 * Returns the context of a change by the service itself, with a new operation id. The principal of its event has the id
 * `system`, the subject `system:<component>` and no credential. The event has neither IP address nor user agent.
 * @param component the part of the service that makes the change, such as `certificates`
 * @param baseUrl base of every `uri` in the event
 */
export function systemContext(accountId: string, component: string, baseUrl: string): RequestContext {
  return {
    accountId,
    principal: systemPrincipal(component),
    credential: null,
    operationId: newId('op'),
    baseUrl,
    ip: null,
    userAgent: null,
    ifMatch: null,
    reservation: null,
  };
}
