import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Versioned } from './etag.js';
import type { HttpResponse } from './request-context.js';

/** The headers that follow from a response: its ETag, Location of what was created from its `uri`. */
export function responseHeaders({ status, body, etag }: HttpResponse): Record<string, string> {
  const headers: Record<string, string> = {};
  if (etag !== undefined) headers['etag'] = etag;
  if (
    status === 201 &&
    typeof body === 'object' &&
    body !== null &&
    'uri' in body &&
    typeof body.uri === 'string'
  ) {
    headers['location'] = body.uri;
  }
  return headers;
}

/** Turns what a handler returns into a response: takes the body out of `Versioned` and sets the headers. */
@Injectable()
export class ResponseInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((value: unknown) => this.response(reply, value)));
  }

  private response(reply: FastifyReply, value: unknown): unknown {
    const status = reply.statusCode;
    const response =
      value instanceof Versioned ? { status, body: value.body, etag: value.etag } : { status, body: value };
    reply.headers(responseHeaders(response));
    return response.body;
  }
}
