import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Span } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import type { Transaction } from '../database/database.js';

/**
 * Who is calling, for whom and through what: all that a service needs to know of a request. Where the service itself changes
 * something, `systemContext` (resources/framework) makes one.
 */
export interface RequestContext {
  /** The account that owns everything the request may see. */
  readonly accountId: string;
  readonly principal: Principal;
  /** The API key that was shown; null where the service itself acts. */
  readonly credential: { readonly id: string } | null;
  /** `op_…`: in the response's header, in log lines, problem documents and events. */
  readonly operationId: string;
  /** Base of every `uri`, without a slash at its end. */
  readonly baseUrl: string;
  /** Null where the service itself acts. */
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** The If-Match header as it came; see `requireMatch` in `etag.ts`. */
  readonly ifMatch: string | null;
  /** Set on a POST with an Idempotency-Key. */
  readonly reservation: IdempotencyReservation | null;
  /** The span of the request; absent when tracing is off. */
  readonly trace?: Span | undefined;
}

/** The user or bot that owns the API key, or the part of the service that acts by itself. */
export interface Principal {
  readonly id: string;
  readonly kind: 'user' | 'bot' | 'system';
  /** What people call it. */
  readonly name: string;
  readonly admin: boolean;
}

/**
 * A POST's hold on its Idempotency-Key. A service that remembers its response in the transaction of the change makes the two
 * one: after a crash, either nothing was changed and the key is free again soon, or the response is replayed. Answers that no
 * service remembers are stored when they are sent.
 */
export interface IdempotencyReservation {
  /**
   * Stores the response (the body any JSON value) in `trx`.
   * @throws Problem `conflict` when another request has taken the key over meanwhile: the change must not be committed.
   */
  storeResponse(trx: Transaction, response: HttpResponse): Promise<void>;
}

/** A response as it will be sent. */
export interface HttpResponse {
  readonly status: number;
  readonly body: unknown;
  readonly etag?: string;
}

/** What is known of a request from its first byte; `context` is null until it is authenticated, and on public routes. */
export interface RequestState {
  readonly id: string;
  readonly startedAt: number;
  context: RequestContext | null;
  /** The span of the request; absent when tracing is off, and on public routes. */
  span?: Span | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first hook of every request. */
    state: RequestState;
  }
}

/** The context of an authenticated request. A route that asks for it and is public is a fault of ours. */
export function contextOf(request: FastifyRequest): RequestContext {
  const { context } = request.state;
  if (context === null) throw new Error('A public route has no caller, so it cannot take @Context().');
  return context;
}

/** Gives a route handler the `RequestContext`. */
export const Context = createParamDecorator((_: unknown, host: ExecutionContext): RequestContext =>
  contextOf(host.switchToHttp().getRequest<FastifyRequest>()),
);
