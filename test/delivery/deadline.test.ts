import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Redeliveries } from '../../src/delivery/redelivery/redeliveries.js';
import { RedeliveryStore } from '../../src/delivery/redelivery/redelivery-store.js';
import { until } from '../../tools/harness/until.js';
import { onPostgres } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { attemptsOf, deliveriesOf, laneOf } from './support/seed.js';

const HOUR = 3_600_000;

describe('the deadline', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await Pipeline.open(onPostgres, {
      DELIVERY_DEADLINE_HOURS: '1',
      // Longer than the interval of the sweeps, most of the time.
      DELIVERY_BACKOFF_BASE_MS: '10000',
      DELIVERY_BACKOFF_CAP_MS: '10000',
    });
    await pipeline.startWorker();
  });
  beforeEach(() => pipeline.sandbox.clear());
  afterAll(() => pipeline.close());

  const states = async (id: string): Promise<string[]> =>
    (await deliveriesOf(pipeline.store, id)).map(({ state }) => state);

  it('does not apply to a healthy destination: it gets overdue events', async () => {
    const destination = await pipeline.destination();
    await pipeline.publish([destination], 3, { ageMs: 2 * HOUR });
    await pipeline.settled(destination);
    expect(await states(destination.id)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  it('expires deliveries that fail after it, and retries the others', async () => {
    const destination = await pipeline.destination();
    const heal = pipeline.sandbox.script({ address: destination.address, kind: 'unavailable' });
    await pipeline.publish([destination], 2, { ageMs: 2 * HOUR });
    await pipeline.publish([destination], 2);
    await until(async () => (await states(destination.id)).includes('expired'), 'something expired');
    heal();
    await pipeline.dispatcher.resume(destination.id);
    await pipeline.settled(destination);
    const deliveries = await deliveriesOf(pipeline.store, destination.id);
    expect(deliveries.map(({ state }) => state)).toEqual(['expired', 'expired', 'delivered', 'delivered']);
    expect(deliveries.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(deliveries[0]).toMatchObject({ error_code: 'http_503' });
    expect(pipeline.received(destination).map(({ sequence }) => sequence)).toEqual([3, 4]);
  });

  it('lets an expired event arrive after newer ones when it is redelivered, with its original number', async () => {
    const destination = await pipeline.destination();
    const heal = pipeline.sandbox.script({ address: destination.address, kind: 'unavailable' });
    const [event = ''] = await pipeline.publish([destination], 1, { ageMs: 2 * HOUR });
    await pipeline.publish([destination], 1);
    await until(async () => (await states(destination.id)).includes('expired'), 'something expired');
    heal();
    await pipeline.dispatcher.resume(destination.id);
    await pipeline.settled(destination);
    const redeliveries = new Redeliveries(new RedeliveryStore(pipeline.store.db), pipeline.dispatcher);
    await redeliveries.events(pipeline.accountId, destination.id, [event]);
    await pipeline.settled(destination);
    expect(pipeline.received(destination).map(({ sequence }) => sequence)).toEqual([2, 1]);
  });

  it('expires 20,000 overdue events of a failing destination with a few calls', async () => {
    const destination = await pipeline.destination();
    pipeline.sandbox.script({ address: destination.address, kind: 'unavailable' });
    await pipeline.publish([destination], 20_000, { ageMs: 2 * HOUR });
    await pipeline.settled(destination);
    const deliveries = await deliveriesOf(pipeline.store, destination.id);
    expect(deliveries.every(({ state }) => state === 'expired')).toBe(true);
    expect(deliveries.map(({ sequence }) => sequence)).toEqual(deliveries.map((_, index) => index + 1));
    expect((await attemptsOf(pipeline.store, destination.id)).length).toBeLessThan(15);
    expect(await laneOf(pipeline.store, destination.id)).toMatchObject({
      next_sequence: 20_001,
      batch_id: null,
    });
  });
});
