import { createRequire } from 'node:module';
import path from 'node:path';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { Queue } from 'bullmq';
import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import type { Queues } from '../delivery/queues/queues.js';
import { boardTheme, repairBoard } from './board-page.js';

/** Finds the packages of bull-board. */
const requireOfBoard = createRequire(createRequire(import.meta.url).resolve('@bull-board/api'));

/** Path of the dashboard. */
const PREFIX = '/dashboard';

/**
 * Returns bull-board's pages and API for the queues, as a Fastify plugin for the prefix `/dashboard`. The plugin does
 * not check sessions: the caller must guard it.
 * @param write whether jobs can be changed; otherwise bull-board is read-only
 */
export function createBoard(queues: Queues, write: boolean): FastifyPluginAsync {
  const serverAdapter = new FastifyAdapter();
  serverAdapter.setBasePath(PREFIX);
  createBullBoard({
    queues: queues.all().map((queue) => adapterOf(queue, write)),
    serverAdapter,
    options: {
      uiBasePath: path.dirname(requireOfBoard.resolve('@bull-board/ui/package.json')),
      uiConfig: {
        boardTitle: 'Waybill',
        hideDocsLink: true,
        theme: boardTheme,
        // On Postgres, workers share unnamed connections, so bull-board would list none.
        showWorkers: queues.backend === 'redis',
        miscLinks: [
          { text: 'Console', url: '/console' },
          { text: 'API documentation', url: '/docs' },
        ],
      },
    },
  });
  // To the error handler of the service: bull-board would respond with 500, also while the queue store is away.
  serverAdapter.setErrorHandler((error) => {
    throw error;
  });
  return async (scope) => {
    repairBoard(scope, PREFIX, queues.backend);
    await scope.register(serverAdapter.registerPlugin());
  };
}

function adapterOf(queue: unknown, write: boolean): BullMQAdapter {
  if (!isBoardQueue(queue)) throw new Error('bull-board does not support this queue.');
  const adapter = new BullMQAdapter(queue, { readOnlyMode: !write });
  // With write access the data stays unformatted, because bull-board's form saves what it displays.
  if (!write) adapter.setFormatter('data', readableData);
  return adapter;
}

/** bull-board works with both backends, but its types name only that of Redis. */
function isBoardQueue(queue: unknown): queue is Queue {
  return typeof queue === 'object' && queue !== null && 'getBackend' in queue;
}

const batch = z.looseObject({
  events: z.array(z.object({ id: z.string(), type: z.string(), sequence: z.number() })),
});

/** Most events of a batch that are shown: the first ones. */
const MOST_SHOWN = 20;

/** Returns one line for each event of a batch, since bull-board collapses objects; other data unchanged. */
function readableData(data: unknown): unknown {
  const parsed = batch.safeParse(data);
  if (!parsed.success) return data;
  const { events, ...rest } = parsed.data;
  const lines = events.slice(0, MOST_SHOWN).map(({ id, type, sequence }) => `${type} ${id} sequence ${sequence}`);
  const left = events.length - lines.length;
  return { ...rest, events: left > 0 ? [...lines, `${left} more`] : lines };
}
