import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { hashToken, hasToken } from '../accounts/token.js';
import type { Config } from '../config/config.js';
import { acceptJsonOnly, refuseUnstorableText } from '../http/input/json-body.js';
import { sendProblem } from '../http/problems/problem-filter.js';
import type { GuessLimit } from '../http/rate-limit/guess-limit.js';
import { endSlowReaders, sendInPieces } from '../http/response/large-responses.js';
import { endConnectionsOnClose } from '../http/server/closing.js';
import { serveInOrder } from '../http/server/pipelining.js';
import { fastifyOptions } from '../http/server/server-options.js';
import type { Logger } from '../logging/logger.js';
import { Problem } from '../problems/problem.js';

/** The keys of the data-plane API. A key that is undefined is never valid. */
export interface DataPlaneKeys {
  readonly reports: string | undefined;
  readonly configuration: string | undefined;
}

/**
 * Makes the server of the data-plane API. As in the public API, bodies are JSON, every error is a problem document, and
 * every request has an operation id. A key authorizes every request, before any body is read: one key for reports,
 * another for the configuration with its secrets.
 */
export function dataPlaneServer(
  config: Pick<Config, 'MAX_BODY_BYTES' | 'SHUTDOWN_DEADLINE_MS'>,
  keys: DataPlaneKeys,
  guesses: GuessLimit,
  logger: Logger,
): FastifyInstance {
  const server: FastifyInstance = Fastify(
    fastifyOptions({ MAX_BODY_BYTES: config.MAX_BODY_BYTES, TRUST_PROXY: 0 }, logger),
  );
  const hashes = { reports: hashOf(keys.reports), configuration: hashOf(keys.configuration) };
  endConnectionsOnClose(server, config.SHUTDOWN_DEADLINE_MS);
  endSlowReaders(server, logger);
  sendInPieces(server);
  acceptJsonOnly(server);
  serveInOrder(server, logger);
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'operation-id': request.id,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    await requireKey(request, hashes, guesses);
  });
  server.addHook('preValidation', async (request) => refuseUnstorableText(request));
  server.addHook('onResponse', async (request, reply) => {
    const { id, method, routeOptions, ip } = request;
    const route = routeOptions.url ?? null;
    const fields = { operation_id: id, method, route, status: reply.statusCode, ip };
    logger.info({ ...fields, duration_ms: Math.round(reply.elapsedTime * 10) / 10 }, 'data-plane request');
  });
  server.setErrorHandler((error, request, reply) => sendProblem(request, reply, error, logger));
  server.setNotFoundHandler((request, reply) => {
    const error = new Problem('route_not_found', 'The data-plane API has no such route for this method.');
    sendProblem(request, reply, error, logger);
  });
  return server;
}

function hashOf(key: string | undefined): Buffer | null {
  return key === undefined ? null : hashToken(key);
}

/**
 * Each key is valid for its own routes; both are at paths without a route. Other keys count as guesses of the client's
 * address.
 */
async function requireKey(
  request: FastifyRequest,
  hashes: Readonly<Record<keyof DataPlaneKeys, Buffer | null>>,
  guesses: GuessLimit,
): Promise<void> {
  const { authorization } = request.headers;
  const { url } = request.routeOptions;
  const names = url === undefined ? (['reports', 'configuration'] as const) : [keyOf(url)];
  const settings = names.map((name) => settingOfKey[name]).join(' or ');
  if (authorization === undefined) {
    const detail = `Send the key of this route: Authorization: Bearer <${settings}>.`;
    throw new Problem('credentials_missing', detail);
  }
  const matches = async (): Promise<true | null> => {
    const isKey = names.some((name) => {
      const hash = hashes[name];
      return hash !== null && hasToken(authorization, hash);
    });
    return isKey ? true : null;
  };
  if ((await guesses.lookUp(`data plane ${names.join()}`, authorization, request.ip, matches)) !== null) return;
  throw new Problem('credentials_invalid', `The key is not ${settings}, the key of this route.`);
}

const settingOfKey = { reports: 'DATA_PLANE_KEY', configuration: 'DATA_PLANE_CONFIG_KEY' } as const;

function keyOf(route: string): keyof DataPlaneKeys {
  return route.startsWith('/configuration') ? 'configuration' : 'reports';
}
