import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEveryBackend } from '../support/redis.js';
import { Pipeline, until } from './support/pipeline.js';
import { laneOf } from './support/seed.js';

describeOnEveryBackend('destinations that never answer', (backend) => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await Pipeline.open(backend, { WORKER_CONCURRENCY: '2', DELIVERY_SEND_TIMEOUT_MS: '30000' });
    pipeline.startWorker();
  });
  afterAll(async () => {
    // Their calls would last half a minute.
    await pipeline.stopWorkers(2_000);
    await pipeline.close();
  });

  it('do not keep the places of those that do, although there are more of them than places', async () => {
    const holes = await Promise.all(Array.from({ length: 5 }, () => pipeline.destination()));
    const healthy = await pipeline.destination();
    const fill = holes.map(({ address }) => pipeline.sandbox.script({ address, kind: 'timeout' }));
    await pipeline.publish(holes, 1);
    await until(async () => {
      const lanes = await Promise.all(holes.map(({ id }) => laneOf(pipeline.store, id)));
      return lanes.filter(({ attempt_token: token }) => token !== null).length >= 2;
    }, 'both places are taken');
    const published = await pipeline.publish([healthy], 3);
    // Two at a time, the five would take a minute and a quarter.
    await pipeline.settled(healthy, 10_000);
    expect(pipeline.received(healthy).map(({ event_id }) => event_id)).toEqual(published);
    for (const heal of fill) heal();
  });
});
