import { Redis } from 'ioredis';
import { describe, expect, inject, it } from 'vitest';
import { until } from '../../tools/harness/until.js';
import { startOwnRedis } from './support/own-redis.js';
import { Pipeline } from './support/pipeline.js';
import { laneOf } from './support/seed.js';

describe.skipIf(inject('redisUrl') === null)('a Redis that is out of memory', () => {
  it('delays deliveries until memory is available, without an intervention', async () => {
    const redis = await startOwnRedis();
    const admin = new Redis(redis.url);
    const pipeline = await Pipeline.open({ name: 'redis', redisUrl: redis.url });
    try {
      const destination = await pipeline.destination();
      const heal = pipeline.sandbox.script({ address: destination.address, kind: 'slow', delayMs: 1_500 });
      await pipeline.startWorker();
      const published = [...(await pipeline.publish([destination], 3))];
      await until(
        async () => (await laneOf(pipeline.store, destination.id)).attempt_token !== null,
        'an attempt is under way',
      );
      // Out of memory while a job is active: the worker can neither end it nor start another one.
      await admin.config('SET', 'maxmemory', '1');
      heal();
      published.push(...(await pipeline.publish([destination], 3)));
      await until(async () => {
        const { batch_id, next_sequence } = await laneOf(pipeline.store, destination.id);
        return batch_id !== null && next_sequence === 7;
      }, 'the next batch is claimed, without a job');
      await admin.config('SET', 'maxmemory', '0');
      await pipeline.settled(destination);
      expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
    } finally {
      await pipeline.close();
      admin.disconnect();
      await redis.stop();
    }
  });
});
