import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../logging/logger.js';
import { Problem } from '../../problems/problem.js';
import type { RouteTable } from '../server/route-table.js';
import { toProblemResponse, PROBLEM_MEDIA_TYPE } from './problem-document.js';

/**
 * Turns everything thrown while a request is served (by the service, Nest or Fastify) into a problem document.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly routes: RouteTable,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (reply.sent) return;
    sendProblem(request, reply, request.is404 ? this.unknownRoute(request, reply) : error, this.logger);
  }

  /** A path that supports other methods is a 405 that lists them; any other path is a 404. */
  private unknownRoute(request: FastifyRequest, reply: FastifyReply): Problem {
    const methods = this.routes.methodsAt(request.url);
    if (methods.length === 0) return new Problem('route_not_found', 'The API has no operation at this path.');
    const allowed = methods.join(', ');
    reply.header('allow', allowed);
    return new Problem('method_not_allowed', `The path supports ${allowed}, not ${request.method}.`);
  }
}

/** Sends the problem document of an error. Logs the error itself when the service failed. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown, logger: Logger): void {
  const operationId = request.id;
  const { status, headers, document, fault } = toProblemResponse(error, operationId);
  if (fault) logger.error({ operation_id: operationId, err: error, error_code: document.error_code }, 'request failed');
  // The handler set these for the response that it did not send.
  reply.removeHeader('etag');
  reply.removeHeader('location');
  reply
    .code(status)
    .headers({ ...headers, 'operation-id': operationId, 'content-type': PROBLEM_MEDIA_TYPE })
    .send(JSON.stringify(document));
}
