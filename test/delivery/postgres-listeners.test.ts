import { EventEmitter } from 'node:events';
import { PostgresConnection } from 'bullmq';
import { afterAll, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { openQueues } from '../../src/delivery/queues/queues.js';
import { createLogger } from '../../src/logging/logger.js';
import { until } from '../../tools/harness/until.js';
import { createTestStore } from '../support/database.js';

afterAll(() => void vi.restoreAllMocks());

it('more workers than Node expects may wait on one connection: no warning of a leak, and no listener stays', async () => {
  const clients = new Set<EventEmitter>();
  // Called with its own `this` below.
  // oxlint-disable-next-line typescript/unbound-method
  const open = PostgresConnection.prototype.getListenClient;
  vi.spyOn(PostgresConnection.prototype, 'getListenClient').mockImplementation(async function (
    this: PostgresConnection,
  ) {
    const client = await open.call(this);
    if (client instanceof EventEmitter) clients.add(client);
    return client;
  });
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', onWarning);
  const store = await createTestStore();
  const queues = await openQueues(readConfig({ QUEUE_PREFIX: 'listeners' }), store, createLogger('fatal'));
  const listeners = (): number => [...clients].reduce((sum, client) => sum + client.listenerCount('notification'), 0);
  try {
    const options = { concurrency: 1, lockMs: 15_000, backoffMs: () => 0 };
    const workers = Array.from({ length: 12 }, () =>
      queues.worker('data_stream', async () => ({ outcome: 'healthy', delivered: 0 }), options),
    );
    for (const worker of workers) void worker.run();
    await until(() => listeners() >= workers.length, 'every worker waits');
    await Promise.all(workers.map((worker) => worker.close()));
    expect(listeners()).toBe(0);
    expect(warnings).not.toContain('MaxListenersExceededWarning');
  } finally {
    process.off('warning', onWarning);
    await queues.close();
    await store.close();
  }
});
