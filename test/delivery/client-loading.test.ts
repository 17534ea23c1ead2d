import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TargetClients } from '../../src/delivery/attempts/target-clients.js';
import { provide } from '../../src/lifecycle/provide.js';
import { createLogger, LOGGER } from '../../src/logging/logger.js';
import { targetOf } from '../../src/targets/registry.js';
import type { Target, TargetKind } from '../../src/targets/target.js';
import { until } from '../../tools/harness/until.js';
import { onPostgres } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { attemptsOf, laneOf, seedDestination } from './support/seed.js';

describe('the client of a target', () => {
  let pipeline: Pipeline;
  let lines: Record<string, unknown>[];
  beforeAll(async () => {
    pipeline = await Pipeline.open(onPostgres);
  });
  beforeEach(() => {
    lines = [];
  });
  afterAll(() => pipeline.close());

  /** Starts a worker on which the client of `monitoring` is loaded when the test calls `finish`. */
  async function startSlow() {
    let finish = (): void => {};
    const loaded = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const scripted = (kind: TargetKind): Target => {
      const target = targetOf(kind);
      return kind === 'monitoring' ? { ...target, loadClient: () => loaded } : target;
    };
    const logger = createLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
    const clients = new TargetClients(scripted, logger);
    const worker = await pipeline.startWorker(
      {},
      provide(TargetClients, [], () => clients),
      provide(LOGGER, [], () => logger),
    );
    return { worker, clients, finish };
  }

  /** The log messages about a kind, in order. */
  const messagesOf = (kind: TargetKind) => lines.filter((line) => line['kind'] === kind).map(({ msg }) => msg);

  it('is loaded before the first attempt, while the jobs of other kinds go on', async () => {
    const slow = await pipeline.destination({ kind: 'monitoring' });
    const other = await pipeline.destination({ kind: 'data_stream' });
    const waiting = await pipeline.publish([slow], 3);
    const { worker, clients, finish } = await startSlow();
    // More than the concurrency slots of a worker: none of them holds one.
    const published = await pipeline.publish([other], 2 * pipeline.config.WORKER_CONCURRENCY);
    await pipeline.settled(other);
    expect(pipeline.received(other).map(({ event_id }) => event_id)).toEqual(published);
    expect(clients.report()).toContainEqual({ kind: 'monitoring', state: 'loading', loadMs: null });
    // The batch waits in the queue: no lease, and no attempt.
    const lane = await laneOf(pipeline.store, slow.id);
    expect([lane.attempt_token, lane.failures]).toEqual([null, 0]);
    expect(await attemptsOf(pipeline.store, slow.id)).toEqual([]);
    expect(await pipeline.queues.queue('monitoring').getActiveCount()).toBe(0);

    finish();
    await pipeline.settled(slow);
    expect(pipeline.received(slow).map(({ event_id }) => event_id)).toEqual(waiting);
    await until(() => messagesOf('monitoring').includes('batch attempt'), 'the attempt is logged');
    expect(messagesOf('monitoring').slice(0, 3)).toEqual([
      'loading the client of a target',
      'the client of a target is loaded',
      'batch attempt',
    ]);
    await worker.stop();
  });

  it('leaves the jobs of its kind to another process that has it', async () => {
    const destination = await pipeline.destination({ kind: 'monitoring' });
    const { worker, clients } = await startSlow();
    await until(() => clients.report().some(({ kind }) => kind === 'monitoring'), 'the load has begun');
    // Another worker, whose client loads as usual.
    await pipeline.startWorker();
    const published = await pipeline.publish([destination], 5);
    await pipeline.settled(destination);
    expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
    expect(messagesOf('monitoring')).toEqual(['loading the client of a target']);
    await pipeline.stopWorkers();
    // A worker that still loads a client stops like any other.
    await worker.stop();
  });
});

it('is loaded when the session of the worker is open, so that a dead worker is noticed during the load', async () => {
  const pipeline = await Pipeline.open(onPostgres);
  try {
    const destination = await pipeline.destination({ kind: 'monitoring' });
    const { store, logger } = pipeline;
    const registered: number[] = [];
    const loadClient = async (): Promise<void> => {
      registered.push((await store.db.selectFrom('worker_presences').select('id').execute()).length);
    };
    const observed = (kind: TargetKind): Target => ({ ...targetOf(kind), loadClient });
    const clients = new TargetClients(observed, logger);
    const worker = await pipeline.startWorker(
      {},
      provide(TargetClients, [], () => clients),
    );
    await pipeline.publish([destination], 1);
    await pipeline.settled(destination);
    expect(registered).toEqual([1]);
    await worker.stop();
  } finally {
    await pipeline.close();
  }
});

it('is loaded after the first destination of its kind was saved by another process', async () => {
  const pipeline = await Pipeline.open(onPostgres);
  try {
    await pipeline.startWorker();
    // Saved without an announcement to this process.
    const { store, secrets, lanes, accountId } = pipeline;
    const destination = await seedDestination(store, secrets, lanes, accountId);
    const published = await pipeline.publish([destination], 1);
    await pipeline.settled(destination);
    expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
    expect(pipeline.clients.report()).toMatchObject([{ kind: 'data_stream', state: 'loaded' }]);
  } finally {
    await pipeline.close();
  }
});
