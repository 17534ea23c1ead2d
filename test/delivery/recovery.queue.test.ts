import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BatchJobs } from '../../src/delivery/dispatch/batch-jobs.js';
import { until } from '../../tools/harness/until.js';
import { describeOnEveryBackend, runsOnRedis } from '../support/redis.js';
import { startOwnRedis } from './support/own-redis.js';
import { Pipeline } from './support/pipeline.js';
import { attemptsOf, deliveriesOf, laneOf, seedEvents } from './support/seed.js';

/** Removes everything in this pipeline's queues, as a flushed queue store would. */
async function loseQueueStore(pipeline: Pipeline): Promise<void> {
  const prefix = pipeline.config.QUEUE_PREFIX;
  if (pipeline.queues.backend === 'postgres') {
    await truncate(pipeline, `${prefix}.job, ${prefix}.meta, ${prefix}.event`);
    return;
  }
  const redis = new Redis(pipeline.config.REDIS_URL ?? '');
  const keys = await redis.keys(`${prefix}:*`);
  if (keys.length > 0) await redis.del(...keys);
  await redis.quit();
}

/** Truncates the tables. A running worker may deadlock with it, and Postgres ends one of them: truncates again then. */
async function truncate(pipeline: Pipeline, tables: string): Promise<void> {
  const deadlockDetected = '40P01';
  for (;;) {
    try {
      await pipeline.store.pool.query(`truncate ${tables} cascade`);
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== deadlockDetected) throw error;
    }
  }
}

describeOnEveryBackend('recovery', (backend) => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await Pipeline.open(backend);
  });
  afterEach(() => pipeline.stopWorkers());
  afterAll(() => pipeline.close());

  /** What a destination must receive: each event once, in order, numbered without a gap. */
  const inOrder = (published: readonly string[]) =>
    published.map((event_id, index) => ({ event_id, sequence: index + 1 }));

  it('delivers what a process committed that died before it dispatched', async () => {
    const destination = await pipeline.destination();
    const published = await seedEvents(pipeline.store, [destination], 3);
    await pipeline.startWorker();
    await pipeline.settled(destination);
    expect(pipeline.received(destination)).toMatchObject(inOrder(published));
  });

  it('delivers what a process claimed that died before it added the job, and a batch whose job was removed', async () => {
    const [claimed, removed] = [await pipeline.destination(), await pipeline.destination()];
    const orphaned = await seedEvents(pipeline.store, [claimed], 3);
    await pipeline.lanes.claim(claimed.id, 'bat_orphan');
    const published = await pipeline.publish([removed], 2);
    await pipeline.dispatcher.idle();
    const { batch_id: batchId } = await laneOf(pipeline.store, removed.id);
    const job = await pipeline.queues.queue('data_stream').getJob(batchId ?? '');
    await job?.remove();
    await pipeline.startWorker();
    for (const [destination, events, batch] of [
      [claimed, orphaned, 'bat_orphan'],
      [removed, published, batchId],
    ] as const) {
      await pipeline.settled(destination);
      expect(pipeline.received(destination)).toMatchObject(inOrder(events));
      expect(await attemptsOf(pipeline.store, destination.id)).toMatchObject([{ batch_id: batch }]);
    }
  });

  it('rebuilds lost jobs, waiting and delayed, with the same batches', async () => {
    const waiting = await pipeline.destination();
    const failing = await pipeline.destination();
    const heal = pipeline.sandbox.script({ address: failing.address, kind: 'deny' });
    await pipeline.startWorker();
    const published = await pipeline.publish([failing], 4);
    await until(
      async () => (await laneOf(pipeline.store, failing.id)).status === 'misconfigured',
      'the lane is misconfigured',
    );
    await pipeline.stopWorkers();
    const more = await pipeline.publish([waiting], 7);
    await pipeline.dispatcher.idle();
    const batches = await Promise.all([waiting, failing].map(({ id }) => laneOf(pipeline.store, id)));
    await loseQueueStore(pipeline);
    heal();
    await pipeline.startWorker();
    await pipeline.dispatcher.resume(failing.id);
    await pipeline.settled(waiting);
    await pipeline.settled(failing);
    expect(pipeline.received(waiting)).toMatchObject(inOrder(more));
    expect(pipeline.received(failing)).toMatchObject(inOrder(published));
    for (const { destination_id, batch_id } of batches) {
      const attempts = await attemptsOf(pipeline.store, destination_id);
      expect(new Set(attempts.map((attempt) => attempt.batch_id))).toEqual(new Set([batch_id]));
    }
  });

  it('continues when the queue store loses everything under running workers', async () => {
    const destinations = await Promise.all([1, 2, 3].map(() => pipeline.destination()));
    await pipeline.startWorker();
    const published: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      published.push(...(await pipeline.publish(destinations, 25)));
      if (round % 4 === 2) await loseQueueStore(pipeline);
    }
    for (const destination of destinations) {
      await pipeline.settled(destination);
      const received = pipeline.received(destination);
      // A batch whose job was lost while it was sent may arrive twice, and then with the same numbers.
      const first = new Map(received.map(({ sequence, event_id }) => [sequence, event_id]));
      expect([...first.keys()].toSorted((a, b) => a - b)).toEqual(published.map((_, index) => index + 1));
      expect([...first.values()]).toEqual(published);
    }
  });

  it('does nothing for a job whose lane has another batch', async () => {
    const destination = await pipeline.destination();
    await pipeline.startWorker();
    const published = await pipeline.publish([destination], 1);
    await pipeline.settled(destination);
    await new BatchJobs(pipeline.queues).add({
      destinationId: destination.id,
      targetKind: 'data_stream',
      batchId: 'bat_stale',
      events: [{ id: published[0] ?? '', type: 'ip_policy_created.v0', sequence: 1 }],
      failures: 0,
    });
    const queue = pipeline.queues.queue('data_stream');
    await until(async () => (await queue.getJobState('bat_stale')) === 'completed', 'the job has ended');
    expect((await queue.getJob('bat_stale'))?.returnvalue).toEqual({ outcome: 'void', delivered: 0 });
    expect(pipeline.received(destination)).toMatchObject(inOrder(published));
  });

  it('sends a batch once although its job runs twice concurrently', async () => {
    const destination = await pipeline.destination();
    pipeline.sandbox.script({ address: destination.address, kind: 'slow', delayMs: 800 });
    await seedEvents(pipeline.store, [destination], 2);
    // Before a worker starts: its sweeper would claim them too.
    const batch = await pipeline.lanes.claim(destination.id, 'bat_twice');
    if (!batch) throw new Error('nothing claimed');
    await pipeline.startWorker();
    const queue = pipeline.queues.queue('data_stream');
    const data = { destinationId: batch.destinationId, batchId: batch.batchId, events: batch.events };
    await queue.add('first', data, { jobId: 'run_1' });
    await queue.add('second', data, { jobId: 'run_2' });
    await pipeline.settled(destination);
    expect(pipeline.received(destination)).toHaveLength(2);
    expect(await attemptsOf(pipeline.store, destination.id)).toHaveLength(1);
  });

  it('cancels the pending deliveries of a deleted destination, and ends its job without an error', async () => {
    const destination = await pipeline.destination();
    await pipeline.publish([destination], 1_100);
    await pipeline.dispatcher.idle();
    const { batch_id: batchId } = await laneOf(pipeline.store, destination.id);
    await pipeline.store.db.deleteFrom('resources').where('id', '=', destination.id).execute();
    await pipeline.startWorker();
    await pipeline.settled(destination);
    const deliveries = await deliveriesOf(pipeline.store, destination.id);
    expect(deliveries).toHaveLength(1_100);
    expect(new Set(deliveries.map(({ state, error_code }) => `${state} ${error_code}`))).toEqual(
      new Set(['cancelled destination_deleted']),
    );
    const queue = pipeline.queues.queue('data_stream');
    await until(async () => (await queue.getJobState(batchId ?? '')) === 'completed', 'the job has ended');
    expect(pipeline.received(destination)).toEqual([]);
  });

  it('keeps one job for a failing destination, whatever the number of pending deliveries', async () => {
    // Of a kind that no other test here uses: its queue has no job but those of this destination.
    const destination = await pipeline.destination({ kind: 'monitoring' });
    pipeline.sandbox.script({ address: destination.address, kind: 'deny' });
    await pipeline.startWorker();
    for (let round = 0; round < 10; round += 1) await pipeline.publish([destination], 500);
    await until(
      async () => (await laneOf(pipeline.store, destination.id)).status === 'misconfigured',
      'the lane is misconfigured',
    );
    await pipeline.dispatcher.idle();
    const counts = await pipeline.queues.queue('monitoring').getJobCounts();
    expect(counts).toMatchObject({ delayed: 1, waiting: 0, active: 0 });
  });

  it('lets two workers share the work without repetition and in order', async () => {
    const destinations = await Promise.all(Array.from({ length: 8 }, () => pipeline.destination()));
    await pipeline.startWorker();
    await pipeline.startWorker();
    const published: string[] = [];
    for (let round = 0; round < 10; round += 1) published.push(...(await pipeline.publish(destinations, 20)));
    for (const destination of destinations) {
      await pipeline.settled(destination);
      expect(pipeline.received(destination)).toMatchObject(inOrder(published));
    }
  });
});

describe.skipIf(!runsOnRedis())('a Redis that is down', () => {
  it('may start after the service', async () => {
    const redis = await startOwnRedis();
    await redis.stop();
    const pipeline = await Pipeline.open({ name: 'redis', redisUrl: redis.url });
    try {
      const destination = await pipeline.destination();
      await pipeline.startWorker();
      const published = await pipeline.publish([destination], 5);
      // Gives up in time, although BullMQ itself would wait.
      await pipeline.dispatcher.idle();
      await redis.start();
      await pipeline.settled(destination);
      expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
    } finally {
      await pipeline.close();
      await redis.stop();
    }
  });

  it('does not delay a publisher, and every event is delivered when it is back', async () => {
    const redis = await startOwnRedis();
    const pipeline = await Pipeline.open({ name: 'redis', redisUrl: redis.url });
    try {
      const destination = await pipeline.destination();
      await pipeline.startWorker();
      const published = [...(await pipeline.publish([destination], 5))];
      await pipeline.settled(destination);
      await redis.stop();
      published.push(...(await pipeline.publish([destination], 5)));
      // Ends although Redis is not back.
      await pipeline.dispatcher.idle();
      published.push(...(await pipeline.publish([destination], 5)));
      await redis.start();
      await pipeline.settled(destination);
      expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
    } finally {
      await pipeline.close();
      await redis.stop();
    }
  });
});
