import type { RequestContext } from '../http/request-context.js';
import { newId } from '../ids/id.js';

/**
 * Returns the context of a change by the service itself, with a new operation id. The principal of its event has the id
 * `system`, the subject `system:<component>` and no credential. The event has neither IP address nor user agent.
 * @param component the part of the service that makes the change, such as `certificates`
 * @param baseUrl base of every `uri` in the event
 */
export function systemContext(accountId: string, component: string, baseUrl: string): RequestContext {
  return {
    accountId,
    principal: { id: 'system', kind: 'system', name: `system:${component}`, admin: true },
    credential: null,
    operationId: newId('op'),
    baseUrl,
    ip: null,
    userAgent: null,
    ifMatch: null,
    reservation: null,
  };
}
