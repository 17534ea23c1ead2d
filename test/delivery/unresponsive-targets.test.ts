import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../tools/harness/until.js';
import { onPostgres } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { laneOf } from './support/seed.js';

describe('targets that never respond', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await Pipeline.open(onPostgres, { WORKER_CONCURRENCY: '2', DELIVERY_SEND_TIMEOUT_MS: '300000' });
    // The calls last five minutes.
    await pipeline.startWorker({ SHUTDOWN_DEADLINE_MS: 2_000 });
  });
  afterAll(() => pipeline.close());

  it('leave slots for other destinations, although more targets hang than there are slots', async () => {
    const hanging = await Promise.all(Array.from({ length: 5 }, () => pipeline.destination()));
    const healthy = await pipeline.destination();
    const heals = hanging.map(({ address }) => pipeline.sandbox.script({ address, kind: 'timeout' }));
    await pipeline.publish(hanging, 1);
    await until(async () => {
      const lanes = await Promise.all(hanging.map(({ id }) => laneOf(pipeline.store, id)));
      return lanes.filter(({ attempt_token: token }) => token !== null).length >= 2;
    }, 'both slots are occupied');
    const published = await pipeline.publish([healthy], 3);
    // Two at a time, the five calls would take 15 minutes.
    await pipeline.settled(healthy);
    expect(pipeline.received(healthy).map(({ event_id }) => event_id)).toEqual(published);
    for (const heal of heals) heal();
  });
});
