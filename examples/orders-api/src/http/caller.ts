import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventContext } from '@waybill/outbox';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const callers = new AsyncLocalStorage<EventContext>();

/** Makes the caller of each request known to everything that the request runs. */
export function rememberCallers(fastify: Pick<FastifyInstance, 'addHook'>): void {
  fastify.addHook('onRequest', (request, _reply, done) => callers.run(callerOf(request), done));
}

/** Returns the caller of the current request: who made it, and from where. Empty outside of requests. */
export function currentCaller(): EventContext {
  return callers.getStore() ?? {};
}

/**
 * The gateway in front of this API authenticates users and sets `x-user-id` and `x-user-name`. Without a gateway the
 * caller is `anonymous`.
 */
function callerOf({ headers, id, ip }: FastifyRequest): EventContext {
  const userId = text(headers['x-user-id']) ?? 'anonymous';
  return {
    principal: { id: userId, subject: text(headers['x-user-name']) ?? userId },
    request: { id, ip, userAgent: headers['user-agent'] },
  };
}

function text(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header : undefined;
}
