import { afterAll, beforeAll, expect, it } from 'vitest';
import { Pipeline, until } from './support/pipeline.js';
import { attemptsOf, deliveriesOf, laneOf } from './support/seed.js';

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await Pipeline.open({ name: 'postgres', redisUrl: undefined });
});
afterAll(() => pipeline.close());

it('a fault of ours shows at the destination, costs no event, and is waited for', async () => {
  const destination = await pipeline.destination();
  const published = await pipeline.publish([destination], 3);
  await pipeline.dispatcher.idle();
  // Events that cannot be read, whatever is tried.
  await pipeline.store.pool.query('alter table events rename column resource_id to unreadable');
  pipeline.startWorker();
  await until(
    async () => (await attemptsOf(pipeline.store, destination.id)).length >= 3,
    'some attempts are recorded',
  );
  const lane = await laneOf(pipeline.store, destination.id);
  expect(lane).toMatchObject({ status: 'retrying', last_error_code: 'internal_error' });
  expect(lane.failures).toBeGreaterThanOrEqual(3);
  expect(lane.last_error_message).not.toMatch(/column|resource_id|select/);
  expect(await attemptsOf(pipeline.store, destination.id)).toContainEqual(
    expect.objectContaining({ records: 3, delivered: 0, retried: 3, outcome: 'retrying' }),
  );
  const deliveries = await deliveriesOf(pipeline.store, destination.id);
  expect(deliveries.map(({ state }) => state)).toEqual(['pending', 'pending', 'pending']);

  await pipeline.store.pool.query('alter table events rename column unreadable to resource_id');
  await pipeline.settled(destination);
  expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
  expect(await laneOf(pipeline.store, destination.id)).toMatchObject({ status: 'healthy', failures: 0 });
});
