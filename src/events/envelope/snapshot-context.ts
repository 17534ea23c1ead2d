import type { RequestContext } from '../../http/request/request-context.js';
import { systemPrincipal } from './system-context.js';

/**
 * Returns the context of a snapshot: the service itself writes the event. Its `request` has the operation that asked
 * for the snapshot, or whose change is the first after it.
 */
export function snapshotContext({
  accountId,
  operationId,
  baseUrl,
}: Pick<RequestContext, 'accountId' | 'operationId' | 'baseUrl'>): RequestContext {
  return {
    accountId,
    operationId,
    baseUrl,
    principal: systemPrincipal('snapshot'),
    credential: null,
    ip: null,
    userAgent: null,
    ifMatch: null,
    reservation: null,
  };
}
