import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { DELIVERY_OBSERVER, unobserved } from '../../src/delivery/delivery-observer.js';
import { provide } from '../../src/lifecycle/provide.js';
import { until } from '../../tools/harness/until.js';
import { describeOnEveryBackend } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { laneOf, seedEvents } from './support/seed.js';

describeOnEveryBackend('a job that continues with the next batch', (backend) => {
  let pipeline: Pipeline;
  const claimedRecords: number[] = [];
  beforeAll(async () => {
    pipeline = await Pipeline.open(backend, {
      DELIVERY_BACKOFF_BASE_MS: '60000',
      DELIVERY_BACKOFF_CAP_MS: '60000',
      SWEEP_INTERVAL_MS: '60000',
    });
    await pipeline.startWorker(
      {},
      provide(DELIVERY_OBSERVER, [], () => ({ ...unobserved, claimed: (_, records) => claimedRecords.push(records) })),
    );
  });
  beforeEach(() => pipeline.sandbox.clear());
  afterAll(() => pipeline.close());

  it('delivers batches in order, and reports each claim', async () => {
    const destination = await pipeline.destination();
    const { address } = destination;
    const ids = await seedEvents(pipeline.store, [destination], 1_200);
    pipeline.sandbox.script({ address, kind: 'slow', delayMs: 1_000, contains: ids[700] ?? '' });
    pipeline.dispatcher.notify([destination.id]);
    const queue = pipeline.queues.queue('data_stream');
    await until(async () => {
      const jobs = await queue.getJobs(['active']);
      const lane = await laneOf(pipeline.store, destination.id);
      return lane.batch_first_sequence === 501 && jobs.some(({ id }) => id !== lane.batch_id);
    }, 'the job of the first batch attempts the second');
    expect(claimedRecords[0]).toBe(500);
    await pipeline.settled(destination);
    expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(ids);
    expect(pipeline.received(destination).map(({ sequence }) => sequence)).toEqual(ids.map((_, index) => index + 1));
  });

  it('adds a job under the id of a batch that fails, which a resume promotes', async () => {
    const destination = await pipeline.destination();
    const { address } = destination;
    const ids = await seedEvents(pipeline.store, [destination], 1_200);
    const heal = pipeline.sandbox.script({ address, kind: 'unavailable', contains: ids[700] ?? '' });
    pipeline.dispatcher.notify([destination.id]);
    const queue = pipeline.queues.queue('data_stream');
    await until(async () => {
      const { batch_id: batchId, status } = await laneOf(pipeline.store, destination.id);
      return status === 'retrying' && batchId !== null && (await queue.getJobState(batchId)) === 'delayed';
    }, 'the failed batch has a job');
    heal();
    // Backoff and sweep interval are a minute: only the resume can start the attempt.
    await pipeline.dispatcher.resume(destination.id);
    await pipeline.settled(destination);
    expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(ids);
  });
});
