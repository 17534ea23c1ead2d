import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Ends the connections of a closing server. Responses in progress are sent first, for at most `deadlineMs`: a client
 * that does not read its response must not keep the process from stopping. Connections without any request (a browser's
 * preconnect, a load balancer's probe) end at once, since Node counts them as neither idle nor active.
 */
export function endConnectionsOnClose(fastify: FastifyInstance, deadlineMs: number): void {
  const unused = new Set<Socket>();
  fastify.server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  fastify.server.on('request', ({ socket }) => unused.delete(socket));
  let timer: NodeJS.Timeout | undefined;
  fastify.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy();
    timer = setTimeout(() => fastify.server.closeAllConnections(), deadlineMs);
  });
  fastify.addHook('onSend', async (_request, reply) => {
    if (timer !== undefined) reply.header('connection', 'close');
  });
  fastify.addHook('onClose', async () => clearTimeout(timer));
}
