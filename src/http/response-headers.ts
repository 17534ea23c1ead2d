import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Versioned } from './etag.js';
import type { Answer } from './request-context.js';

/** The headers that follow from an answer: its ETag, Location of what was created from its `uri`. */
export function answerHeaders({ status, body, etag }: Answer): Record<string, string> {
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

/** Turns what a handler returns into an answer: takes the body out of `Versioned` and sets the headers. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((value: unknown) => this.answer(reply, value)));
  }

  private answer(reply: FastifyReply, value: unknown): unknown {
    const status = reply.statusCode;
    const answer =
      value instanceof Versioned ? { status, body: value.body, etag: value.etag } : { status, body: value };
    reply.headers(answerHeaders(answer));
    return answer.body;
  }
}
