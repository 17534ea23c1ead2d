import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../problems/problem.js';

/** Most requests that wait for earlier ones of their connection, and of all connections of a server. */
const MOST_WAITING = 500;
const MOST_WAITING_OF_ALL = 5_000;

/** What waits on a connection with a request in progress. */
type Line = (() => void)[];

/**
 * Serves the requests of a connection one after the other. HTTP/1.1 sends responses in the order of the requests, and
 * Node begins all requests that a client has sent without waiting: one connection could have thousands in progress.
 * Requests beyond the limits get a 429. Node itself stops reading while their responses wait to be sent.
 */
export function serveInOrder(fastify: FastifyInstance): void {
  const lines = new WeakMap<Socket, Line>();
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
    if (line.length >= MOST_WAITING || waiting >= MOST_WAITING_OF_ALL) {
      done(
        new Problem('rate_limited', 'rate_limited', 'Too many requests of this connection wait for earlier ones.', {
          retryAfterSeconds: 1,
        }),
      );
      return;
    }
    waiting += 1;
    line.push(() => {
      reply.raw.once('close', () => leave(socket, line));
      done();
    });
  });
}
