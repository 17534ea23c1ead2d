import { DelayedError } from 'bullmq';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BatchJobs } from '../../src/delivery/dispatch/batch-jobs.js';
import { newId } from '../../src/ids/id.js';
import { until } from '../../tools/harness/until.js';
import { describeOnEveryBackend } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { laneOf, seedEvents } from './support/seed.js';

/** Longer than any test: a job with this delay runs only when it is promoted. */
const LONG_MS = 600_000;

describeOnEveryBackend('a resume', (backend) => {
  let pipeline: Pipeline;
  beforeEach(async () => {
    pipeline = await Pipeline.open(backend);
  });
  afterEach(() => pipeline.close());

  it('promotes a job that is delayed just after the resume, without a sweep', async () => {
    const destination = await pipeline.destination();
    let runs = 0;
    let resume = (): void => {};
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const worker = pipeline.queues.worker(
      'data_stream',
      async (job, token) => {
        runs += 1;
        if (runs > 1) return { outcome: 'seen', delivered: 0 };
        await resumed;
        await job.moveToDelayed(Date.now() + LONG_MS, token);
        throw new DelayedError();
      },
      { concurrency: 1, lockMs: 15_000, backoffMs: () => 0 },
    );
    void worker.run();
    await pipeline.publish([destination], 1);
    await until(() => runs === 1, 'the job runs');
    await pipeline.dispatcher.resume(destination.id);
    resume();
    await until(() => runs === 2, 'the job was promoted');
    expect(runs).toBe(2);
    await worker.close();
  });

  it('promotes a job that is added just after the resume, for a batch that another batch’s job claimed', async () => {
    const destination = await pipeline.destination();
    await seedEvents(pipeline.store, [destination], 1);
    const batch = await pipeline.lanes.claim(destination.id, newId('bat'));
    if (!batch) throw new Error('nothing was claimed');
    // The attempt of the other job is under way: that job adds this one.
    await pipeline.lanes.lease(destination.id, batch.batchId, newId('att'), LONG_MS);
    await pipeline.dispatcher.resume(destination.id);
    const queue = pipeline.queues.queue('data_stream');
    expect(await queue.getJobState(batch.batchId)).toBe('unknown');
    await pipeline.dispatcher.addJob(batch, LONG_MS);
    await expect.poll(() => queue.getJobState(batch.batchId)).toBe('waiting');
  });

  it('adds the job of a batch that has neither a job nor an attempt, without a sweep', async () => {
    const destination = await pipeline.destination();
    const ids = await seedEvents(pipeline.store, [destination], 2);
    const batch = await pipeline.lanes.claim(destination.id, newId('bat'));
    await pipeline.dispatcher.resume(destination.id);
    const job = await pipeline.queues.queue('data_stream').getJob(batch?.batchId ?? '');
    expect(job?.data.events.map(({ id, sequence }) => [id, sequence])).toEqual(ids.map((id, index) => [id, index + 1]));
  });

  it('promotes a job once when several processes resume at the same time', async () => {
    const destination = await pipeline.destination();
    await pipeline.publish([destination], 1);
    await pipeline.dispatcher.idle();
    const { batch_id: batchId } = await laneOf(pipeline.store, destination.id);
    const queue = pipeline.queues.queue('data_stream');
    const job = await queue.getJob(batchId ?? '');
    await job?.remove();
    await queue.add('later', job?.data ?? { destinationId: '', batchId: '', events: [] }, {
      jobId: batchId ?? '',
      delay: LONG_MS,
    });
    const jobs = new BatchJobs(pipeline.queues);
    const results = await Promise.all(Array.from({ length: 8 }, () => jobs.promote('data_stream', batchId ?? '')));
    expect(new Set(results)).toEqual(new Set(['promoted', 'present']));
    expect(await queue.getJobState(batchId ?? '')).toBe('waiting');
  });
});
