import type { FastifyInstance } from 'fastify';
import { hashToken, showsToken } from '../accounts/token.js';
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
    if (!showsToken(request.headers.authorization, tokenHash)) {
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
