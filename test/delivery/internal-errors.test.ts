import { afterAll, beforeAll, expect, it } from 'vitest';
import { TARGET_OF } from '../../src/delivery/attempts/target-clients.js';
import { InternalErrorStore } from '../../src/delivery/lanes/internal-error-store.js';
import { QUEUES, type Queues } from '../../src/delivery/queues/queues.js';
import { newId } from '../../src/ids/id.js';
import { provide } from '../../src/lifecycle/provide.js';
import { targetOf } from '../../src/targets/registry.js';
import type { Target, TargetKind } from '../../src/targets/target.js';
import { until } from '../../tools/harness/until.js';
import { onPostgres } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { attemptsOf, deliveriesOf, laneOf, seedEvents } from './support/seed.js';

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await Pipeline.open(onPostgres);
});
afterAll(() => pipeline.close());

/** Targets that count their opened and closed connections. */
function countedTargets() {
  const counts = { opened: 0, closed: 0 };
  const counted = (kind: TargetKind): Target => {
    const target = targetOf(kind);
    return {
      ...target,
      connect(config, context) {
        const connection = target.connect(config, context);
        counts.opened += 1;
        return {
          send: (events, signal) => connection.send(events, signal),
          close() {
            counts.closed += 1;
            return connection.close();
          },
        };
      },
    };
  };
  return { counts, counted };
}

/** Starts a worker whose connections are counted. The caller stops it. */
async function startCounted(queues: Queues = pipeline.queues) {
  const { counts, counted } = countedTargets();
  const worker = await pipeline.startWorker(
    {},
    provide(QUEUES, [], () => queues),
    provide(TARGET_OF, [], () => counted),
  );
  return { counts, worker };
}

it('shows an internal error in the destination’s status, keeps the events pending, and backs off', async () => {
  const destination = await pipeline.destination();
  const published = await pipeline.publish([destination], 3);
  await pipeline.dispatcher.idle();
  // Makes reading events fail.
  await pipeline.store.pool.query('alter table events rename column resource_id to unreadable');
  await pipeline.startWorker();
  await until(async () => (await attemptsOf(pipeline.store, destination.id)).length >= 3, 'some attempts are recorded');
  const lane = await laneOf(pipeline.store, destination.id);
  expect(lane).toMatchObject({ status: 'retrying', last_error_code: 'internal_error' });
  expect(lane.failures).toBeGreaterThanOrEqual(3);
  expect(lane.last_error_message).not.toMatch(/column|resource_id|select/);
  expect(await attemptsOf(pipeline.store, destination.id)).toContainEqual(
    expect.objectContaining({ records: 3, delivered: 0, retried: 3, outcome: 'retrying' }),
  );
  const deliveries = await deliveriesOf(pipeline.store, destination.id);
  expect(deliveries.map(({ state }) => state)).toEqual(['pending', 'pending', 'pending']);

  await pipeline.store.pool.query('alter table events rename column unreadable to resource_id');
  await pipeline.settled(destination);
  expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
  expect(await laneOf(pipeline.store, destination.id)).toMatchObject({ status: 'healthy', failures: 0 });
  // It would take the jobs of the worker of another test.
  await pipeline.stopWorkers();
});

it('does not back off after an internal error when the lane was resumed during the attempt', async () => {
  const { store, lanes } = pipeline;
  const internalErrors = new InternalErrorStore(store.db);
  const internalError = { startedAt: new Date(), durationMs: 1, delayMs: 60_000 };
  const attempted = async (resume: boolean) => {
    const destination = await pipeline.destination();
    const { id } = destination;
    const batchId = newId('bat');
    await seedEvents(store, [destination], 1);
    await lanes.claim(id, batchId);
    const grant = await lanes.lease(id, batchId, newId('att'), 60_000);
    if (grant.kind !== 'granted') throw new Error('not granted');
    if (resume) await lanes.resume(id);
    await internalErrors.record(grant.lease, internalError);
    return { id, batchId };
  };
  const waiting = await attempted(false);
  expect(await lanes.lease(waiting.id, waiting.batchId, newId('att'), 60_000)).toMatchObject({
    kind: 'later',
  });
  const resumed = await attempted(true);
  expect(await laneOf(store, resumed.id)).toMatchObject({ status: 'retrying', failures: 1, resume_at: null });
  expect(await lanes.lease(resumed.id, resumed.batchId, newId('att'), 60_000)).toMatchObject({
    kind: 'granted',
  });
});

it('closes the connection of an attempt that failed with an internal error', async () => {
  const { store } = pipeline;
  const destination = await pipeline.destination();
  await pipeline.publish([destination], 1);
  await pipeline.dispatcher.idle();
  await store.pool.query('alter table events rename column resource_id to unreadable');
  const { counts, worker } = await startCounted();
  await until(() => counts.opened > 0, 'a connection was opened');
  await worker.stop();
  expect(await attemptsOf(store, destination.id)).not.toEqual([]);
  await store.pool.query('alter table events rename column unreadable to resource_id');
  await expect.poll(() => counts.closed).toBe(counts.opened);
});

it('closes the connections when a BullMQ worker cannot be closed, and rejects with its error', async () => {
  const queues: Queues = {
    ...pipeline.queues,
    worker(kind, handler, options) {
      const worker = pipeline.queues.worker(kind, handler, options);
      if (kind !== 'monitoring') return worker;
      const close = worker.close.bind(worker);
      worker.close = async () => {
        await close();
        throw new Error('the queue store went away');
      };
      return worker;
    },
  };
  const { counts, worker } = await startCounted(queues);
  const destination = await pipeline.destination();
  await pipeline.publish([destination], 1);
  await pipeline.settled(destination);
  await expect(worker.stop()).rejects.toThrow('the queue store went away');
  await expect.poll(() => counts.closed).toBe(counts.opened);
});
