import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { hashToken, hasToken } from '../accounts/token.js';
import type { Config } from '../config/config.js';
import { endConnectionsOnClose } from '../http/closing.js';
import { acceptJsonOnly, refuseUnstorableText } from '../http/json-body.js';
import { sendProblem } from '../http/problem-filter.js';
import { fastifyOptions } from '../http/server-options.js';
import type { Logger } from '../logging/logger.js';
import { Problem } from '../problems/problem.js';

/**
 * Makes the server of the data-plane API. As in the public API, bodies are JSON, every error is a problem document, and
 * every request has an operation id. One key authorizes every request, before any body is read.
 */
export function dataPlaneServer(
  config: Pick<Config, 'MAX_BODY_BYTES' | 'SHUTDOWN_DEADLINE_MS'>,
  key: string,
  logger: Logger,
): FastifyInstance {
  const server: FastifyInstance = Fastify(
    fastifyOptions({ MAX_BODY_BYTES: config.MAX_BODY_BYTES, TRUST_PROXY: false }, logger),
  );
  const keyHash = hashToken(key);
  endConnectionsOnClose(server, config.SHUTDOWN_DEADLINE_MS);
  acceptJsonOnly(server);
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'operation-id': request.id,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    requireKey(request, keyHash);
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
    const error = new Problem('not_found', 'route_not_found', 'The data-plane API has no such route for this method.');
    sendProblem(request, reply, error, logger);
  });
  return server;
}

function requireKey(request: FastifyRequest, keyHash: Buffer): void {
  const { authorization } = request.headers;
  if (authorization === undefined) {
    throw new Problem(
      'unauthenticated',
      'credentials_missing',
      'Send the data-plane key: Authorization: Bearer <DATA_PLANE_KEY>.',
    );
  }
  if (hasToken(authorization, keyHash)) return;
  throw new Problem('unauthenticated', 'credentials_invalid', 'The data-plane key is not valid.');
}
