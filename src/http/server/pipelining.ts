import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../logging/logger.js';

/** Most requests that wait for earlier ones of their connection, and of all connections of a server. */
const MOST_WAITING = 100;
const MOST_WAITING_OF_ALL = 1_000;

/** What waits on a connection with a request in progress. */
type Line = (() => void)[];

/**
 * Serves the requests of a connection one after the other. HTTP/1.1 sends responses in the order of the requests, and
 * Node begins all requests that a client has sent without waiting: one connection could have thousands in progress.
 * Fastify sees a request when it is served, since it would make several objects for each.
 *
 * A connection with too many requests that wait is closed. So is the one with most of them when too many of all wait. A
 * response to each of these requests would stay in memory until the client has read those before.
 */
export function serveInOrder({ server }: FastifyInstance, logger: Logger): void {
  const lines = new Map<Socket, Line>();
  let waiting = 0;
  // Node's types say nothing of the parameters of a listener.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const [handle = missing()] = server.listeners('request') as RequestListener[];

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    response.once('close', () => leave(request.socket));
    handle(request, response);
  };

  const leave = (socket: Socket): void => {
    const line = lines.get(socket) ?? [];
    if (socket.destroyed) forget(line);
    const next = line.shift();
    if (next === undefined) {
      lines.delete(socket);
      return;
    }
    waiting -= 1;
    next();
  };

  const forget = (line: Line): void => {
    waiting -= line.length;
    line.length = 0;
  };

  const close = (socket: Socket, line: Line): void => {
    logger.info({ ip: socket.remoteAddress, waiting: line.length }, 'too many requests wait: connection closed');
    forget(line);
    socket.destroy();
  };

  const closeLongest = (): void => {
    const longest = [...lines].reduce((most, entry) => (entry[1].length > most[1].length ? entry : most));
    close(...longest);
  };

  server.off('request', handle).on('request', (request, response) => {
    const { socket } = request;
    // Node continues with what it has read of a connection that was closed here.
    if (socket.destroyed) return;
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, []);
      serve(request, response);
      return;
    }
    if (line.length >= MOST_WAITING) close(socket, line);
    else if (waiting >= MOST_WAITING_OF_ALL) closeLongest();
    if (socket.destroyed) return;
    waiting += 1;
    line.push(() => serve(request, response));
  });
}

function missing(): never {
  throw new Error('Fastify does not listen to the requests of its server.');
}
