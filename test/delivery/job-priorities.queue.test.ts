import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../tools/harness/until.js';
import { describeOnEveryBackend } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { laneOf, type SeededDestination } from './support/seed.js';
import { sweeperOf } from './support/sweeper.js';

const FAILING = 15;

describeOnEveryBackend('the priority of jobs', (backend) => {
  let pipeline: Pipeline;
  beforeEach(async () => {
    pipeline = await Pipeline.open(backend, { WORKER_CONCURRENCY: '1', DELIVERY_SEND_TIMEOUT_MS: '1000' });
  });
  afterEach(() => pipeline.close());

  /** Destinations whose last five attempts delivered nothing, each with a job in the queue. */
  async function failingWithJobs(): Promise<readonly SeededDestination[]> {
    const failing = await Promise.all(Array.from({ length: FAILING }, () => pipeline.destination()));
    await pipeline.store.pool.query(`update delivery_lanes set failures = 5 where destination_id = any($1)`, [
      failing.map(({ id }) => id),
    ]);
    await pipeline.publish(failing, 1);
    await pipeline.dispatcher.idle();
    return failing;
  }

  async function stateOf({ id }: SeededDestination): Promise<string> {
    const { batch_id: batchId } = await laneOf(pipeline.store, id);
    return pipeline.queues.queue('data_stream').getJobState(batchId ?? '');
  }

  it('lets a destination that works pass those that have failed a few times', async () => {
    const failing = await failingWithJobs();
    const healthy = await pipeline.destination();
    await pipeline.publish([healthy], 1);
    await pipeline.dispatcher.idle();
    await pipeline.startWorker();
    for (const destination of [healthy, ...failing]) await pipeline.settled(destination);
    expect(pipeline.sandbox.received({ target: 'data_stream' })[0]?.address).toBe(healthy.address);
  });

  it('is lowered by the third failure in a row, and restored by a resume', async () => {
    pipeline.sandbox.script({ target: 'data_stream', kind: 'unavailable' });
    const destination = await pipeline.destination();
    await pipeline.publish([destination], 1);
    await pipeline.dispatcher.idle();
    const queue = pipeline.queues.queue('data_stream');
    const job = async () => queue.getJob((await laneOf(pipeline.store, destination.id)).batch_id ?? '');
    expect((await job())?.priority).toBe(0);
    await pipeline.startWorker();
    await until(async () => (await job())?.priority === 1, 'the third failure lowers the priority');
    expect((await laneOf(pipeline.store, destination.id)).failures).toBeGreaterThanOrEqual(3);
    await pipeline.stopWorkers();
    await pipeline.dispatcher.resume(destination.id);
    expect(await stateOf(destination)).toBe('waiting');
  });

  it('is raised by a sweep after a minute, for a few jobs at a time', async () => {
    const failing = await failingWithJobs();
    const states = async () => (await Promise.all(failing.map(stateOf))).toSorted();
    expect(await states()).toEqual(failing.map(() => 'prioritized'));
    const sweeper = sweeperOf(pipeline);
    await pipeline.store.pool.query(`update delivery_lanes set claimed_at = now() - interval '50 seconds'`);
    expect(await sweeper.sweep()).toMatchObject({ raised: 0 });
    await pipeline.store.pool.query(`update delivery_lanes set claimed_at = now() - interval '70 seconds'`);
    expect(await sweeper.sweep()).toMatchObject({ raised: 10 });
    expect((await states()).filter((state) => state === 'waiting')).toHaveLength(10);
    expect(await sweeper.sweep()).toMatchObject({ raised: 5 });
    expect(await states()).toEqual(failing.map(() => 'waiting'));
  });
});
