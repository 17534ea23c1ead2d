import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnEveryBackend } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { deliveriesOf, laneOf } from './support/seed.js';

describeOnEveryBackend('delivery', (backend) => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await Pipeline.open(backend);
    await pipeline.startWorker();
  });
  beforeEach(() => pipeline.sandbox.clear());
  afterAll(() => pipeline.close());

  it('delivers every event once, in order, numbered without a gap', async () => {
    const destination = await pipeline.destination();
    const published: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      published.push(...(await pipeline.publish([destination], 1 + ((round * 37) % 90))));
    }
    await pipeline.settled(destination);
    const received = pipeline.received(destination);
    expect(received.map(({ event_id }) => event_id)).toEqual(published);
    expect(received.map(({ sequence }) => sequence)).toEqual(published.map((_, index) => index + 1));
    const deliveries = await deliveriesOf(pipeline.store, destination.id);
    expect(deliveries.every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(true);
    expect(await laneOf(pipeline.store, destination.id)).toMatchObject({
      status: 'healthy',
      batch_id: null,
      resume_at: null,
    });
  });
});
