import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onPostgres } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { attemptsOf } from './support/seed.js';

describe('the latencies of an attempt', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await Pipeline.open(onPostgres);
    await pipeline.startWorker();
  });
  afterAll(() => pipeline.close());

  // Alone, in groups, in a batch of its own, and recorded during the next call.
  it.each([
    ['one event', 1, 1],
    ['one event for each of 30 destinations', 1, 30],
    ['50 events', 50, 1],
    ['4,000 events', 4_000, 1],
  ])('are counted for all that it delivered: %s', async (_, events, count) => {
    const destinations = [];
    for (let n = 0; n < count; n += 1) destinations.push(await pipeline.destination());
    const [first] = destinations;
    pipeline.sandbox.script({ address: first?.address ?? '', kind: 'partial', ratio: 0.5, times: 1 });
    await pipeline.publish(destinations, events, { ageMs: 60_000 });
    for (const destination of destinations) {
      await pipeline.settled(destination);
      const attempts = await attemptsOf(pipeline.store, destination.id);
      const latencies = attempts.flatMap((attempt) => attempt.latencies ?? [[NaN, NaN]]);
      const counted = attempts.map((attempt) => attempt.latencies?.reduce((sum, [, n = NaN]) => sum + n, 0));
      expect(counted).toEqual(attempts.map(({ delivered }) => delivered));
      // A minute is above 2^(63/4) ms.
      for (const [bucket = 0] of latencies) expect(bucket).toBeGreaterThanOrEqual(64);
      expect(attempts.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(events);
    }
  });
});
