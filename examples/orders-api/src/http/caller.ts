import type { ExecutionContext } from '@nestjs/common';
import type { EventContext } from '@waybill/outbox';
import type { FastifyRequest } from 'fastify';

/**
 * Returns who made the current request, and from where. The gateway in front of this API authenticates users and sets
 * `x-user-id` and `x-user-name`. Without a gateway the caller is `anonymous`.
 */
export function callerOf(execution: ExecutionContext | undefined): EventContext | undefined {
  if (!execution) return undefined;
  const { headers, id, ip } = execution.switchToHttp().getRequest<FastifyRequest>();
  const userId = text(headers['x-user-id']) ?? 'anonymous';
  return {
    principal: { id: userId, subject: text(headers['x-user-name']) ?? userId },
    request: { id, ip, userAgent: headers['user-agent'] },
  };
}

function text(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header : undefined;
}
