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
 *
 * A connection with too many requests that wait is closed. So is the one with most of them when too many of all wait. A
 * response to each of these requests would stay in memory until the client has read those before.
 */
export function serveInOrder(fastify: FastifyInstance, logger: Logger): void {
  const lines = new Map<Socket, Line>();
  let waiting = 0;

  const leave = (socket: Socket, line: Line): void => {
    if (socket.destroyed) {
      waiting -= line.length;
      line.length = 0;
    }
    const next = line.shift();
    if (next === undefined) {
      lines.delete(socket);
      return;
    }
    waiting -= 1;
    next();
  };

  const close = (socket: Socket, line: Line): void => {
    logger.info({ ip: socket.remoteAddress, waiting: line.length }, 'too many requests wait: connection closed');
    waiting -= line.length;
    line.length = 0;
    socket.destroy();
  };

  const closeLongest = (): void => {
    const longest = [...lines].reduce((most, entry) => (entry[1].length > most[1].length ? entry : most));
    close(...longest);
  };

  // Node continues with what it has read of a connection that was closed here.
  const { server } = fastify;
  const [handle] = server.listeners('request');
  server.removeAllListeners('request').on('request', (request, response) => {
    if (!request.socket.destroyed) handle?.call(server, request, response);
  });

  fastify.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const line = lines.get(socket);
    if (line === undefined) {
      const ours: Line = [];
      lines.set(socket, ours);
      reply.raw.once('close', () => leave(socket, ours));
      done();
      return;
    }
    if (line.length >= MOST_WAITING) close(socket, line);
    else if (waiting >= MOST_WAITING_OF_ALL) closeLongest();
    if (socket.destroyed) return;
    waiting += 1;
    line.push(() => {
      reply.raw.once('close', () => leave(socket, line));
      done();
    });
  });
}
