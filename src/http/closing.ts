import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Closing waits for the answers that are under way, and their connections end with them. One that its client does not fetch
 * must not keep the process from stopping, and neither must a connection on which nothing was ever asked (a browser's
 * preconnect, a balancer's probe): Node counts it as neither idle nor active.
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
