import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, FastifyHttpOptions } from 'fastify';
import type { Config } from '../config/config.js';
import { newId } from '../ids/id.js';
import type { Logger } from '../logging/logger.js';
import { toProblemResponse, PROBLEM_MEDIA_TYPE } from './problem-document.js';
import { sendProblem } from './problem-filter.js';

/** Longest that a request's headers may take to arrive, in milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Longest that a whole request may take to arrive, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How long an unused connection stays open, in milliseconds: longer than the 60 s of common load balancers, or they meet it closing. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** How often the server looks for connections past their time, in milliseconds. */
const CHECK_INTERVAL_MS = 5_000;
/** Most bytes of request line and headers. */
const LONGEST_HEADERS = 16_384;
/** Longest part of a path that stands for a parameter; ids and event types are far shorter. */
const LONGEST_PARAMETER = 255;

/** How Fastify serves: its limits, its operation ids, and problem documents for what fails before any route is found. */
export function fastifyOptions(config: Pick<Config, 'MAX_BODY_BYTES' | 'TRUST_PROXY'>, logger: Logger) {
  return {
    logger: false,
    genReqId: () => newId('op'),
    trustProxy: config.TRUST_PROXY,
    bodyLimit: config.MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // Without a Host header Node answers in its own words; ours are said in the first hook.
    http: {
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      maxHeaderSize: LONGEST_HEADERS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    forceCloseConnections: 'idle',
    // While the process stops, requests on open connections are served to their end instead of being refused in plain text.
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    clientErrorHandler: (error, socket) => respondToBrokenRequest(error, socket, logger),
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      // No hook runs for these.
      logger.info(
        { operation_id: request.id, method: request.method, ip: request.ip },
        'request not understood',
      );
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
      sendProblem(request, reply, error, logger);
    },
  } satisfies FastifyHttpOptions<Server>;
}

/** Statuses for what Node's parser rejects: https://nodejs.org/api/http.html#event-clienterror */
const statusOfParserError: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers bytes that are not HTTP, of which Node makes no request: the document is written to the socket by hand. */
function respondToBrokenRequest(error: Error & { code?: string }, socket: Socket, logger: Logger): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const operationId = newId('op');
  const status = statusOfParserError[error.code ?? ''] ?? 400;
  const { document } = toProblemResponse(
    Object.assign(new Error('broken request'), { statusCode: status, code: error.code ?? '' }),
    operationId,
  );
  const body = JSON.stringify(document);
  logger.info(
    { operation_id: operationId, status, code: error.code, ip: socket.remoteAddress },
    'request not understood',
  );
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${PROBLEM_MEDIA_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Operation-Id: ${operationId}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
