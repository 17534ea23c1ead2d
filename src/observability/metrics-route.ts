import type { FastifyInstance, FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { hashToken } from '../accounts/token.js';
import { sendProblem } from '../http/problem-filter.js';
import type { Logger } from '../logging/logger.js';
import { Problem } from '../problems/problem.js';
import type { Metrics } from './metrics.js';

/** Serves the metrics at `GET /metrics` to those who show the token. No API key opens it: what is counted is everyone's. */
export function addMetricsRoute(
  server: FastifyInstance,
  metrics: Metrics,
  token: string,
  logger: Logger,
): void {
  const tokenHash = hashToken(token);
  server.get('/metrics', { config: { public: true } }, async (request, reply) => {
    if (!showsToken(request, tokenHash)) {
      const problem = new Problem(
        'unauthenticated',
        'credentials_invalid',
        'Send METRICS_TOKEN: Authorization: Bearer <token>.',
      );
      sendProblem(request, reply, problem, logger);
      return reply;
    }
    return reply.type(metrics.contentType).send(await metrics.render());
  });
}

/** Hashes are compared, so that the time it takes says nothing of the token, nor of its length. */
function showsToken(request: FastifyRequest, tokenHash: Buffer): boolean {
  const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hashToken(given), tokenHash);
}
