import { afterAll, beforeAll, it } from 'vitest';
import { LEASE_MS } from '../../src/delivery/attempts/lease-keeper.js';
import { describeOnEveryBackend } from '../support/redis.js';
import { Pipeline, until } from './support/pipeline.js';
import { attemptsOf, laneOf } from './support/seed.js';

// Concurrent, since both wait for a lease to end. Each has its own sandbox, so the destinations are of the kind whose
// endpoint is a setting: the other endpoints are in the environment, which the tests share.
describeOnEveryBackend(
  'a worker that dies in the middle of a batch',
  (backend) => {
    let pipeline: Pipeline;
    beforeAll(async () => {
      pipeline = await Pipeline.open(backend);
    });
    afterAll(() => pipeline.close());

    it(
      'delays its batch by a lease and a stalled interval, and loses no event',
      { timeout: 60_000 },
      async ({ expect }) => {
        const destination = await pipeline.destination({ kind: 'monitoring' });
        let taken = false;
        // It leases the batch and renews neither lease nor lock, as after a kill -9.
        const dying = pipeline.queues.worker(
          'monitoring',
          async ({ data }) => {
            await pipeline.lanes.lease(data.destinationId, data.batchId, 'att_dead', LEASE_MS);
            taken = true;
            return new Promise(() => {});
          },
          { concurrency: 1, lockMs: LEASE_MS, backoffMs: () => 0 },
        );
        void dying.run();
        const published = await pipeline.publish([destination], 3);
        await until(() => taken, 'the batch is leased');
        await dying.close(true);
        pipeline.startWorker();
        await pipeline.settled(destination, 2 * LEASE_MS + 10_000);
        expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
        expect(await attemptsOf(pipeline.store, destination.id)).toMatchObject([{ number: 2, delivered: 3 }]);
        expect((await laneOf(pipeline.store, destination.id)).batch_id).toBeNull();
      },
    );
  },
  { concurrent: true },
);
