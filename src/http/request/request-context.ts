import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Span } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import type { KeyRole } from '../../accounts/key-role.js';
import type { Session } from '../../accounts/session-store.js';
import type { Turn } from '../../timing/turns.js';
import type { SealedResponse } from '../idempotency/idempotency-store.js';
import type { LogLink } from '../sessions/log-links.js';
import type { RequestOrigin } from './request-origin.js';

/**
 * The caller of a request, its account and its origin: all that services know of a request. `systemContext`
 * (events) makes one for a change by the service itself.
 */
export interface RequestContext {
  /** The account whose resources the request can access. */
  readonly accountId: string;
  readonly principal: Principal;
  /** The API key of the request; null where the service itself acts. */
  readonly credential: { readonly id: string; readonly role: KeyRole } | null;
  /** The link of the request, which opens the log of one destination; absent where the request has an API key. */
  readonly link?: LogLink;
  /** `op_…`: in a response header, log lines, problem documents and events. */
  readonly operationId: string;
  /** Base of every `uri`, without a trailing slash. */
  readonly baseUrl: string;
  /** Null where the service itself acts. */
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** The If-Match header; see `requireMatch` in `etag.ts`. */
  readonly ifMatch: string | null;
  /** Set on a POST with an Idempotency-Key. */
  readonly reservation: IdempotencyReservation | null;
  /** The span of the request; absent when tracing is off. */
  readonly trace?: Span | undefined;
  /** The turn of the request, for a handler that waits for something else than the database. */
  readonly turn?: Turn;
}

/** The user or bot that owns the API key, or the part of the service that acts by itself. */
export interface Principal {
  readonly id: string;
  readonly kind: 'user' | 'bot' | 'system';
  /** Display name. */
  readonly name: string;
  readonly admin: boolean;
}

/**
 * The reservation of an Idempotency-Key by a POST. A service that stores its response in the transaction of the change
 * makes both atomic: after a crash, either nothing was changed and the key is soon free again, or the response is
 * replayed. Responses that no service stores are stored when they are sent: after a crash between the two, the same key
 * carries the request out again.
 */
export interface IdempotencyReservation {
  /** Returns the response (the body any JSON value) for `storeResponses`, which stores it in the transaction. */
  sealed(response: HttpResponse): SealedResponse;
}

/** A response before it is sent. */
export interface HttpResponse {
  readonly status: number;
  readonly body: unknown;
  readonly etag?: string;
}

/**
 * State of a request in progress. `context` is null until the request is authenticated, and on public routes.
 */
export interface RequestState {
  readonly id: string;
  readonly startedAt: number;
  /** The client's address as TRUST_PROXY says; Fastify's own `ip`, `host` and `protocol` are those of the peer. */
  readonly origin: RequestOrigin;
  context: RequestContext | null;
  /** The session of the request; absent with an API key, and on public routes. */
  session?: Session;
  /** The turn of the request (`Admission`); absent until it is authenticated, and on public routes. */
  turn?: Turn;
  /** The span of the request; absent when tracing is off, and on public routes. */
  span?: Span | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first hook of every request. */
    state: RequestState;
  }
}

/** Returns the context of an authenticated request. @throws Error on a public route */
export function contextOf(request: FastifyRequest): RequestContext {
  const { context } = request.state;
  if (context === null)
    throw new Error(
      '@Context() is used on a public route, which has no caller. Give it another access, or remove @Context().',
    );
  return context;
}

/** Gives a route handler the `RequestContext`. */
export const Context = createParamDecorator((_: unknown, host: ExecutionContext): RequestContext =>
  contextOf(host.switchToHttp().getRequest<FastifyRequest>()),
);
