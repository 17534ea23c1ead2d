import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, FastifyHttpOptions } from 'fastify';
import type { Config } from '../../config/config.js';
import { newId } from '../../ids/id.js';
import type { Logger } from '../../logging/logger.js';
import { toProblemResponse, PROBLEM_MEDIA_TYPE } from '../problems/problem-document.js';
import { sendProblem } from '../problems/problem-filter.js';
import { originReader } from '../request/request-origin.js';
import { withoutLink } from '../sessions/log-links.js';
import { TOO_MANY_FIELDS } from './pipelining.js';

/** Timeout for receiving the headers of a request, in milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Timeout for receiving a whole request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How long an idle connection stays open, in milliseconds: longer than the 60 s of common load balancers. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** How often the server checks the timeouts of connections, in milliseconds. */
const CHECK_INTERVAL_MS = 5_000;
/** Most bytes of request line and headers. */
const LONGEST_HEADERS = 16_384;
/** Longest path parameter, in characters; ids and event types are far shorter. */
const LONGEST_PARAMETER = 255;

/** Options of Fastify: limits, operation ids, and problem documents for errors before routing. */
export function fastifyOptions(config: Pick<Config, 'MAX_BODY_BYTES' | 'TRUST_PROXY'>, logger: Logger) {
  const originOf = originReader(config.TRUST_PROXY);
  return {
    logger: false,
    genReqId: () => newId('op'),
    bodyLimit: config.MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // Node would respond in plain text to a request without Host; the first hook sends a problem document.
    http: {
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      maxHeaderSize: LONGEST_HEADERS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    forceCloseConnections: 'idle',
    // While the process stops, requests on open connections are served instead of being refused in plain text.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }: IncomingMessage) => pathOf(url),
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    clientErrorHandler: (error, socket) => respondToBrokenRequest(error, socket, logger),
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      // No hook runs for these.
      logger.info(
        { operation_id: request.id, method: request.method, ip: originOf(request.raw).ip },
        'malformed request refused',
      );
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
      sendProblem(request, reply, error, logger);
    },
  } satisfies FastifyHttpOptions<Server>;
}

/**
 * Returns the target of a request as the router takes it. The target `*` (RFC 9112 section 3.2.4) is no path: Fastify
 * would respond to it without any hook, so it becomes an unknown path. A link before a path is authentication.
 */
function pathOf(target: string): string {
  return target.startsWith('*') ? `/${target}` : withoutLink(target);
}

/** Statuses of errors of Node's parser: https://nodejs.org/api/http.html#event-clienterror */
const statusOfParserError: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  [TOO_MANY_FIELDS]: 431,
};

/** The response that Node sends on a connection, which its types omit. */
interface ServedSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Responds to bytes that are not HTTP, and closes the connection. Node makes no request of them, so the document is
 * written to the socket. While another request is handled, the client would take it for the response to that one. So
 * nothing is written then.
 */
function respondToBrokenRequest(error: Error & { code?: string }, socket: ServedSocket, logger: Logger): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const { _httpMessage: response } = socket;
  const isOfAnother = response?.req.complete === true && error.code !== TOO_MANY_FIELDS;
  if (isOfAnother || response?.headersSent === true) {
    // A response that is written as a whole is still sent.
    if (response.writableEnded) socket.destroySoon();
    else socket.destroy();
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
    'malformed request refused',
  );
  socket.write(
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
  // `end` would wait until the client closes. Until then, the request would count, and a late body be carried out.
  socket.destroySoon();
}
