import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Who made a request, and from where. Events carry it, so that the audit trail can answer "who did this?". */
export interface Caller {
  readonly principal: { readonly id: string; readonly subject: string };
  readonly request: { readonly id: string; readonly ip: string; readonly userAgent?: string };
}

/**
 * The caller of a request. The gateway in front of this API authenticates users and sets `x-user-id` and `x-user-name`.
 * Without a gateway the caller is `anonymous`.
 */
export const FromCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { headers, id, ip } = context.switchToHttp().getRequest<FastifyRequest>();
  const userId = text(headers['x-user-id']) ?? 'anonymous';
  const userAgent = text(headers['user-agent']);
  return {
    principal: { id: userId, subject: text(headers['x-user-name']) ?? userId },
    request: { id, ip, ...(userAgent !== undefined && { userAgent }) },
  };
});

function text(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header : undefined;
}
