import type { RequestContext } from '../../http/request-context.js';
import { newId } from '../../ids/id.js';

/**
 * The context of a change that the service makes by itself, with an operation id of its own. Its event has the principal
 * `{ id: 'system', subject: 'system:<component>', credential: null }`, and no address and user agent.
 * @param component the part of the service that acts, such as `certificates`
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
