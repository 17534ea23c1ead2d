import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, Caller } from '../accounts/authenticator.js';
import { bearerToken } from '../accounts/token.js';
import type { Config } from '../config/config.js';
import { plainLogger, type Logger, type PlainLine } from '../logging/logger.js';
import { Problem } from '../problems/problem.js';
import { holdsAlready } from './etag.js';
import type { Idempotency } from './idempotency/idempotency.js';
import { refuseUnstorableText } from './json-body.js';
import { baseUrlOf } from './origin.js';
import { enforceRateLimit } from './rate-limit/enforce.js';
import type { RateLimiter } from './rate-limit/rate-limiter.js';
import type { RequestContext } from './request-context.js';
import type { RequestObserver } from './request-observer.js';
import { endRequestSpan, startRequestSpan } from './request-span.js';

/** The only version of the API. */
export const SERVICE_VERSION = '2';
/** Name of the header that asks for it. */
export const SERVICE_VERSION_HEADER = 'Service-Version';
/** Name of the header that carries the operation id. */
export const OPERATION_ID_HEADER = 'Operation-Id';

/** What the hooks ask. */
export interface HookServices {
  readonly config: Config;
  readonly logger: Logger;
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter | null;
  readonly idempotency: Idempotency;
  /** Null where nothing is measured. */
  readonly observer: RequestObserver | null;
}
/** The injection token of `HookServices`. */
export const HOOK_SERVICES = Symbol('HookServices');

/**
 * What happens to every request around its handler, in this order: it gets its operation id; then, unless its route is public
 * or unknown, its API key is checked, before a byte of the body is read, its version header, and its rate; then the body is
 * read; then its Idempotency-Key is looked up. They are hooks of Fastify's and not guards of Nest's because guards run after
 * the body has been read.
 * @param publicPaths route patterns that begin with one of these check access themselves (the docs, the dashboard)
 */
export function addRequestHooks(
  fastify: FastifyInstance,
  services: HookServices,
  publicPaths: readonly string[],
): void {
  const { config, authenticator, limiter, idempotency, observer } = services;
  const log = plainLogger(services.logger);

  fastify.addHook('onRequest', async (request, reply) => {
    request.state = { id: request.id, startedAt: performance.now(), context: null };
    reply.header(OPERATION_ID_HEADER, request.id);
    reply.header('cache-control', 'no-store');
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw new Problem('invalid', 'malformed_request', 'An HTTP/1.1 request must have a Host header.');
    }
  });

  fastify.addHook('onRequest', async (request, reply) => {
    if (request.is404 || isPublic(request, publicPaths)) return;
    request.state.span = startRequestSpan(request);
    const caller = await callerOf(request, authenticator);
    request.state.context = contextFor(request, caller, config);
    if (limiter) await enforceRateLimit(limiter, caller.credential.id, config.RATE_LIMIT_PER_MINUTE, reply);
    requireVersion(request);
  });

  fastify.addHook('preValidation', async (request) => {
    if (!request.is404) refuseUnstorableText(request);
  });

  fastify.addHook('preHandler', (request, reply) => idempotency.begin(request, reply));

  fastify.addHook('onSend', async (request, reply, payload) => {
    await idempotency.end(request, reply, payload);
    return isUnchanged(request, reply) ? null : payload;
  });

  fastify.addHook('onResponse', async (request, reply) => {
    log.info({ ...accessOf(request), status: reply.statusCode }, 'request');
    endRequestSpan(request, reply.statusCode);
    observer?.responded({
      method: request.method,
      route: routeOf(request),
      status: reply.statusCode,
      durationMs: performance.now() - request.state.startedAt,
    });
  });
  fastify.addHook('onRequestAbort', async (request) => {
    log.info({ ...accessOf(request), status: null }, 'request aborted by the client');
    endRequestSpan(request, null);
  });
}

function isPublic(request: FastifyRequest, publicPaths: readonly string[]): boolean {
  const { config, url = '' } = request.routeOptions;
  return config.public === true || publicPaths.some((path) => url === path || url.startsWith(`${path}/`));
}

/** @throws Problem `unauthenticated` or `forbidden` */
async function callerOf(request: FastifyRequest, authenticator: Authenticator): Promise<Caller> {
  const { authorization } = request.headers;
  if (authorization === undefined) {
    throw new Problem(
      'unauthenticated',
      'credentials_missing',
      'Send the API key: Authorization: Bearer <API key>.',
    );
  }
  const token = bearerToken(authorization);
  const caller = token === null ? null : await authenticator.authenticate(token);
  if (caller === null)
    throw new Problem('unauthenticated', 'credentials_invalid', 'The API key is not valid.');
  if (!caller.active)
    throw new Problem('forbidden', 'principal_inactive', 'The bot that owns this API key is inactive.');
  return caller;
}

/** Most characters of a User-Agent that are kept: it goes into every event. */
const LONGEST_USER_AGENT = 512;

function contextFor(request: FastifyRequest, caller: Caller, config: Config): RequestContext {
  return {
    accountId: caller.accountId,
    principal: caller.principal,
    credential: caller.credential,
    operationId: request.id,
    baseUrl: baseUrlOf(request, config),
    ip: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? null,
    ifMatch: request.headers['if-match'] ?? null,
    reservation: null,
    trace: request.state.span,
  };
}

/** @throws Problem `invalid` */
function requireVersion(request: FastifyRequest): void {
  const version = request.headers['service-version'];
  if (version === SERVICE_VERSION) return;
  if (version === undefined) {
    throw new Problem(
      'invalid',
      'service_version_missing',
      `Send the version of the API: ${SERVICE_VERSION_HEADER}: ${SERVICE_VERSION}.`,
    );
  }
  throw new Problem(
    'invalid',
    'service_version_unsupported',
    `The only version is ${SERVICE_VERSION}: send ${SERVICE_VERSION_HEADER}: ${SERVICE_VERSION}.`,
  );
}

/** Makes a 304 of a read whose answer the client holds already. */
function isUnchanged(request: FastifyRequest, reply: FastifyReply): boolean {
  const etag = reply.getHeader('etag');
  const ifNoneMatch = request.headers['if-none-match'];
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (request.state.context === null || reply.statusCode !== 200) return false;
  if (typeof etag !== 'string' || ifNoneMatch === undefined || !holdsAlready(ifNoneMatch, etag)) return false;
  reply.code(304).removeHeader('content-length').removeHeader('content-type');
  return true;
}

function routeOf(request: FastifyRequest): string | null {
  return request.is404 ? null : (request.routeOptions.url ?? null);
}

/** The line of a request, one for each answer. Of the address only the route's pattern is logged: ids are in the problem or the event. */
function accessOf(request: FastifyRequest): PlainLine {
  const { context, startedAt, span } = request.state;
  return {
    operation_id: request.id,
    trace_id: span?.spanContext().traceId,
    method: request.method,
    route: routeOf(request),
    duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
    account_id: context?.accountId ?? null,
    principal_id: context?.principal.id ?? null,
    credential_id: context?.credential?.id ?? null,
    ip: request.ip,
  };
}
