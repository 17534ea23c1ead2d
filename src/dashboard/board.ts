import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { Queue } from 'bullmq';
import type { FastifyPluginCallback } from 'fastify';

/**
 * bull-board's pages and its API over the queues, as a Fastify plugin for the prefix `/dashboard`. It knows nothing of
 * sessions: whoever registers it guards it.
 * @param write whether jobs may be changed; otherwise bull-board hides its buttons and refuses.
 */
export function createBoard(queues: readonly Queue[], write: boolean): FastifyPluginCallback {
  const serverAdapter = new FastifyAdapter();
  serverAdapter.setBasePath('/dashboard');
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: !write })),
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: 'Waybill',
        hideDocsLink: true,
        miscLinks: [
          { text: 'API documentation', url: '/docs' },
          { text: 'Sign out', url: '/dashboard/logout' },
        ],
      },
    },
  });
  return serverAdapter.registerPlugin();
}
