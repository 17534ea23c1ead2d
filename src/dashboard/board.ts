import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { Queue } from 'bullmq';
import type { FastifyPluginCallback } from 'fastify';
import { z } from 'zod';
import type { Queues } from '../delivery/queues/queues.js';

/**
 * bull-board's pages and its API over the queues, as a Fastify plugin for the prefix `/dashboard`. It knows nothing of
 * sessions: whoever registers it guards it.
 * @param write whether jobs may be changed; otherwise bull-board hides its buttons and refuses.
 */
export function createBoard(queues: Queues, write: boolean): FastifyPluginCallback {
  const serverAdapter = new FastifyAdapter();
  serverAdapter.setBasePath('/dashboard');
  createBullBoard({
    queues: [...queues.all(), ...queues.sides()].map((queue) => adapterOf(queue, write)),
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: 'Waybill',
        hideDocsLink: true,
        // On Postgres the workers of a process share connections that do not bear their names: it would say that there are none.
        showWorkers: queues.backend === 'redis',
        miscLinks: [
          { text: 'API documentation', url: '/docs' },
          { text: 'Sign out', url: '/dashboard/logout' },
        ],
      },
    },
  });
  return serverAdapter.registerPlugin();
}

function adapterOf(queue: unknown, write: boolean): BullMQAdapter {
  if (!isBoardQueue(queue)) throw new Error('bull-board does not know this kind of queue.');
  const adapter = new BullMQAdapter(queue, { readOnlyMode: !write });
  // Where jobs may be edited they are shown as they are, because the form saves what it shows.
  if (!write) adapter.setFormatter('data', readableData);
  return adapter;
}

/** bull-board takes either backend, but its types name Redis's alone. */
function isBoardQueue(queue: unknown): queue is Queue {
  return typeof queue === 'object' && queue !== null && 'getBackend' in queue;
}

const batch = z.looseObject({
  events: z.array(z.object({ id: z.string(), type: z.string(), sequence: z.number() })),
});

/** A line for each event of a batch (bull-board folds objects up); any other data as it is. */
function readableData(data: unknown): unknown {
  const parsed = batch.safeParse(data);
  if (!parsed.success) return data;
  const { events, ...rest } = parsed.data;
  return { ...rest, events: events.map(({ id, type, sequence }) => `${type} ${id} sequence ${sequence}`) };
}
