import type { FastifyInstance } from 'fastify';
import { hashToken, hasToken } from '../accounts/token.js';
import { sendProblem } from '../http/problems/problem-filter.js';
import type { Logger } from '../logging/logger.js';
import { Problem } from '../problems/problem.js';
import type { Metrics } from './metrics.js';

/** Serves `GET /metrics` to callers with the token. API keys are not accepted: the metrics cover all accounts. */
export function addMetricsRoute(
  server: FastifyInstance,
  metrics: Pick<Metrics, 'contentType' | 'render'>,
  token: string,
  logger: Logger,
): void {
  const tokenHash = hashToken(token);
  server.get('/metrics', { config: { public: true } }, async (request, reply) => {
    const { authorization } = request.headers;
    if (!hasToken(authorization, tokenHash)) {
      sendProblem(request, reply, problemFor(authorization), logger);
      return reply;
    }
    return reply.type(metrics.contentType).send(await metrics.render());
  });
}

function problemFor(authorization: string | undefined): Problem {
  return authorization === undefined
    ? new Problem('credentials_missing', 'Send METRICS_TOKEN: Authorization: Bearer <token>.')
    : new Problem('credentials_invalid', 'The token is not METRICS_TOKEN. API keys are not accepted here.');
}
