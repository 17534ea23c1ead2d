import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Versioned } from './etag.js';
import type { HttpResponse } from './request-context.js';

/** Returns the headers of a response: ETag, and Location (the `uri` of the body) for a 201. */
export function responseHeaders({ status, body, etag }: HttpResponse): Record<string, string> {
  const headers: Record<string, string> = {};
  if (etag !== undefined) headers['etag'] = etag;
  if (status === 201 && typeof body === 'object' && body !== null && 'uri' in body && typeof body.uri === 'string') {
    headers['location'] = body.uri;
  }
  return headers;
}

/** Takes the body out of the `Versioned` that a handler returns, and sets the headers of the response. */
@Injectable()
export class ResponseInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((value: unknown) => this.toResponse(reply, value)));
  }

  private toResponse(reply: FastifyReply, value: unknown): unknown {
    const status = reply.statusCode;
    const response =
      value instanceof Versioned ? { status, body: value.body, etag: value.etag } : { status, body: value };
    reply.headers(responseHeaders(response));
    return response.body;
  }
}
