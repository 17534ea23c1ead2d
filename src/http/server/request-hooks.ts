import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, Caller } from '../../accounts/authenticator.js';
import { bearerToken } from '../../accounts/token.js';
import type { Config } from '../../config/config.js';
import { tokenOf } from '../../lifecycle/provide.js';
import { plainLogger, type Logger, type PlainLine } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import { Problem } from '../../problems/problem.js';
import type { Idempotency } from '../idempotency/idempotency.js';
import { refuseUnstorableText } from '../input/json-body.js';
import type { RateEnforcer } from '../rate-limit/enforce.js';
import type { GuessLimit } from '../rate-limit/guess-limit.js';
import { baseUrlOf } from '../request/origin.js';
import type { RequestContext } from '../request/request-context.js';
import type { RequestObserver } from '../request/request-observer.js';
import { originReader } from '../request/request-origin.js';
import { endRequestSpan, startRequestSpan } from '../request/request-span.js';
import { matchesEtag } from '../response/etag.js';
import type { LogLink, LogLinks } from '../sessions/log-links.js';
import { crossOrigin, isWrite } from '../sessions/same-origin.js';
import type { Sessions } from '../sessions/sessions.js';
import { addTurns, type Admission } from './admission.js';
import { serveInOrder } from './pipelining.js';
import { isPublic, requireDeclaration } from './route-declaration.js';

/** The only version of the API. */
export const SERVICE_VERSION = '2';
/** Header with the version of the API. */
export const SERVICE_VERSION_HEADER = 'Service-Version';
/** Header with the operation id. */
export const OPERATION_ID_HEADER = 'Operation-Id';

/** Routes that health checks and Prometheus ask every few seconds. */
const probePaths = new Set(['/livez', '/readyz', '/metrics']);

/** Least time between two warnings about headers of a proxy that is not trusted, in milliseconds. */
const PROXY_WARNING_INTERVAL_MS = 3_600_000;

/** Dependencies of the hooks. */
export interface HookServices {
  readonly config: Config;
  readonly logger: Logger;
  readonly authenticator: Authenticator;
  readonly sessions: Sessions;
  readonly links: LogLinks;
  readonly guesses: GuessLimit;
  /** Null where no rate is limited. */
  readonly rates: RateEnforcer | null;
  readonly admission: Admission;
  readonly idempotency: Idempotency;
  /** Null where nothing is measured. */
  readonly observer: RequestObserver | null;
}
/** The injection token of `HookServices`. */
export const HOOK_SERVICES = tokenOf<HookServices>('HookServices');

/**
 * Adds the steps of every request before and after its handler, in this order:
 * 1. the request gets its operation id, and waits for earlier requests of its connection;
 * 2. the API key or the session, the rate and the version header are checked, unless the route is public or unknown;
 * 3. the body is read; a role that may send some members only is checked;
 * 4. the request waits for its turn;
 * 5. the Idempotency-Key is reserved.
 *
 * A route that declares no roles, and is not public, is an error of the start.
 *
 * The steps are Fastify hooks instead of Nest guards, since guards run after the body was read. A hook is asynchronous
 * only where it waits for something: each promise costs every request some microseconds.
 * @param publicPaths route patterns that begin with one of these check access themselves (the docs, the dashboard)
 */
export function addRequestHooks(
  fastify: FastifyInstance,
  services: HookServices,
  publicPaths: readonly string[],
): void {
  const { config, rates, admission, idempotency, observer } = services;
  const log = plainLogger(services.logger);
  const proxyLog = new ThrottledLog(services.logger, PROXY_WARNING_INTERVAL_MS);
  const originOf = originReader(config.TRUST_PROXY);

  fastify.addHook('onRoute', (route) => requireDeclaration(route, publicPaths));

  fastify.addHook('onRequest', (request, reply, done) => {
    const origin = originOf(request.raw);
    request.state = { id: request.id, startedAt: performance.now(), origin, context: null };
    reply.header(OPERATION_ID_HEADER, request.id);
    reply.header('cache-control', 'no-store');
    if (config.TRUST_PROXY === 0 && request.headers['x-forwarded-for'] !== undefined) {
      proxyLog.warn(undefined, 'X-Forwarded-For is ignored, since TRUST_PROXY is false', { ip: origin.ip });
    }
    requireOneHost(request.raw);
    requireChunkedOnly(request.raw, reply);
    done();
  });

  serveInOrder(fastify, services.logger);

  fastify.addHook('onRequest', async (request, reply) => {
    if (request.is404 || isPublic(request.routeOptions, publicPaths)) return;
    request.state.span = startRequestSpan(request);
    const link = services.links.of(request.originalUrl);
    const caller = link === undefined ? await callerOf(request, services) : await callerOfLink(request, link, services);
    request.state.context = { ...contextFor(request, caller, config), ...(link && { link }) };
    await rates?.enforce(caller, reply);
    requireActive(caller);
    requireRole(caller, request);
    requireVersion(request);
    const turn = admission.enter(request, reply, caller);
    request.state.turn = turn;
    request.state.context = { ...request.state.context, turn };
  });

  fastify.addHook('preValidation', (request, _reply, done) => {
    if (!request.is404) {
      refuseUnstorableText(request);
      requirePermittedMembers(request);
    }
    done();
  });

  // Fastify waits for the promise of a hook that returns one, and for `done` otherwise.
  fastify.addHook('preHandler', (request, reply, done) => {
    if (idempotency.concerns(request)) return idempotency.begin(request, reply);
    return done();
  });

  fastify.addHook('onSend', (request, reply, payload, done) => {
    const sent = isUnchanged(request, reply) ? null : payload;
    if (idempotency.isReserved(request)) return idempotency.end(request, reply, payload).then(() => sent);
    return done(null, sent);
  });
  addTurns(fastify);

  fastify.addHook('onResponse', (request, reply, done) => {
    const level = probePaths.has(routeOf(request) ?? '') && reply.statusCode < 400 ? 'debug' : 'info';
    log[level]({ ...logFieldsOf(request), status: reply.statusCode }, 'request');
    endRequestSpan(request, reply.statusCode);
    observer?.responded({
      method: request.method,
      route: routeOf(request),
      status: reply.statusCode,
      durationMs: performance.now() - request.state.startedAt,
    });
    done();
  });
  fastify.addHook('onRequestAbort', (request, done) => {
    log.info({ ...logFieldsOf(request), status: null }, 'request aborted by the client');
    endRequestSpan(request, null);
    done();
  });
}

/**
 * RFC 9112 section 3.2. Node takes the first of two Host headers, and a proxy in front may have taken the other.
 * @throws Problem `malformed_request`
 */
function requireOneHost({ httpVersion, headers, rawHeaders }: IncomingMessage): void {
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new Problem('malformed_request', 'An HTTP/1.1 request must have a Host header.');
  }
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) throw new Problem('malformed_request', 'A request must not have two Host headers.');
}

/**
 * RFC 9112 section 6.1. Node removes the chunks, and would leave a body in any other transfer coding as it is. A proxy
 * in front may have found another end of the body, so the connection ends.
 * @throws Problem `malformed_request`
 */
function requireChunkedOnly({ headers }: IncomingMessage, reply: FastifyReply): void {
  const coding = headers['transfer-encoding'];
  if (coding === undefined || coding.toLowerCase() === 'chunked') return;
  reply.header('connection', 'close');
  const detail = 'The only transfer coding is chunked. Send the body without another Transfer-Encoding.';
  throw new Problem('malformed_request', detail);
}

/**
 * Returns the caller of a request: the one of its API key, or else of its session.
 * @throws Problem `credentials_missing` or `credentials_invalid`; `rate_limited` after too many unknown keys
 */
async function callerOf(request: FastifyRequest, services: HookServices): Promise<Caller> {
  const { authorization } = request.headers;
  if (authorization === undefined) return callerOfSession(request, services);
  const { authenticator, guesses } = services;
  const token = bearerToken(authorization);
  const { ip } = request.state.origin;
  const caller =
    token === null ? null : await guesses.lookUp('API key', token, ip, () => authenticator.authenticate(token));
  if (caller === null) throw new Problem('credentials_invalid', 'The API key does not exist or was deleted.');
  return caller;
}

/**
 * A link opens the routes of one destination that say so.
 * @throws Problem `credentials_invalid`, or `not_found`
 */
async function callerOfLink(
  { routeOptions, params }: FastifyRequest,
  link: LogLink | null,
  { links }: HookServices,
): Promise<Caller> {
  const caller = link && (await links.callerOf(link));
  if (caller === null) throw new Problem('credentials_invalid', 'The link has ended, or was never made.');
  const { url = '', config } = routeOptions;
  const ofDestination = url.startsWith('/event_destinations/:id/');
  if (config.linked && (!ofDestination || Object(params).id === link?.destinationId)) return caller;
  throw new Problem('not_found', 'A link opens the log of its event destination, and nothing else.');
}

/**
 * @throws Problem `credentials_missing`, `session_ended`; `cross_origin` for a change that a page of another site asks
 * for
 */
async function callerOfSession(request: FastifyRequest, { sessions }: HookServices): Promise<Caller> {
  if (!sessions.isGiven(request)) {
    throw new Problem('credentials_missing', 'The request has no API key. Send Authorization: Bearer <API key>.');
  }
  if (isWrite(request) && !sessions.isSameOrigin(request)) throw crossOrigin();
  const found = await sessions.of(request);
  if (found === null) throw new Problem('session_ended', 'The session has ended. Sign in again.');
  request.state.session = found.session;
  return found.caller;
}

/** @throws Problem `principal_inactive` */
function requireActive(caller: Caller): void {
  if (caller.active) return;
  throw new Problem('principal_inactive', 'The bot user that owns this API key is inactive.');
}

/** @throws Problem `role_not_allowed` when the route does not declare the role of the key */
function requireRole({ credential }: Caller, request: FastifyRequest): void {
  const { roles = [] } = request.routeOptions.config;
  if (roles.includes(credential.role)) return;
  const detail = `The API key ${credential.id} has the role ${credential.role}. This operation takes keys with the role ${roles.join(' or ')}.`;
  throw new Problem('role_not_allowed', detail, { allowedRoles: roles });
}

/**
 * @throws Problem `role_not_allowed` when the role of the key may send some members of the body only, and the body has
 * others or none
 */
function requirePermittedMembers({ body, routeOptions, state }: FastifyRequest): void {
  const { restricted, roles = [] } = routeOptions.config;
  const credential = state.context?.credential;
  if (!restricted || !credential || !restricted.roles.includes(credential.role)) return;
  const names = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  if (names.length > 0 && names.every((name) => restricted.members.includes(name))) return;
  const allowedRoles = roles.filter((role) => !restricted.roles.includes(role));
  const detail = `The API key ${credential.id} has the role ${credential.role}, which may change ${restricted.members.join(' and ')} only, in a body without any other member. Other changes take keys with the role ${allowedRoles.join(' or ')}.`;
  throw new Problem('role_not_allowed', detail, { allowedRoles });
}

/** Longest User-Agent that is kept, in characters: it is part of every event. */
const LONGEST_USER_AGENT = 512;

function contextFor(request: FastifyRequest, caller: Caller, config: Config): RequestContext {
  return {
    accountId: caller.accountId,
    principal: caller.principal,
    credential: caller.credential,
    operationId: request.id,
    baseUrl: baseUrlOf(request.state.origin, config),
    ip: request.state.origin.ip,
    userAgent: request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? null,
    ifMatch: request.headers['if-match'] ?? null,
    reservation: null,
    trace: request.state.span,
  };
}

/**
 * A read with a session may lack the header: a browser cannot add it to a download or an EventSource. So may one with a
 * link: programs that read logs of others send none.
 * @throws Problem `service_version_missing`, `service_version_unsupported`
 */
function requireVersion(request: FastifyRequest): void {
  const version = request.headers['service-version'];
  if (version === SERVICE_VERSION) return;
  if (version === undefined) {
    const { session, context } = request.state;
    if ((session !== undefined || context?.link) && !isWrite(request)) return;
    throw new Problem(
      'service_version_missing',
      `The request has no version header. Send ${SERVICE_VERSION_HEADER}: ${SERVICE_VERSION}.`,
    );
  }
  throw new Problem(
    'service_version_unsupported',
    `The API has only version ${SERVICE_VERSION}. Send ${SERVICE_VERSION_HEADER}: ${SERVICE_VERSION}.`,
  );
}

/** Turns the response to a read into a 304 if the client has the current version. */
function isUnchanged(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const etag = reply.getHeader('etag');
  const ifNoneMatch = request.headers['if-none-match'];
  if (request.state.context === null || reply.statusCode !== 200) return false;
  if (typeof etag !== 'string' || ifNoneMatch === undefined || !matchesEtag(ifNoneMatch, etag)) return false;
  reply.code(304).removeHeader('content-length').removeHeader('content-type');
  return true;
}

function routeOf(request: FastifyRequest): string | null {
  return request.is404 ? null : (request.routeOptions.url ?? null);
}

/**
 * Returns the fields of the log line of a request. It has the pattern of the route, not the path with its ids.
 */
function logFieldsOf(request: FastifyRequest): PlainLine {
  const { context, startedAt, origin, span } = request.state;
  return {
    operation_id: request.id,
    trace_id: span?.spanContext().traceId,
    method: request.method,
    route: routeOf(request),
    duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
    account_id: context?.accountId ?? null,
    principal_id: context?.principal.id ?? null,
    credential_id: context?.credential?.id ?? null,
    ip: origin.ip,
  };
}
