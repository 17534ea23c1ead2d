import { randomBytes } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { openRedisWitness } from '../../src/delivery/epochs/redis-witness.js';
import { targetLimits } from '../../src/targets/registry.js';
import { until } from '../../tools/harness/until.js';
import { TestClient } from '../support/api-client.js';
import { createTestStore } from '../support/database.js';
import { onPostgres } from '../support/redis.js';
import { Relay } from '../support/relay.js';
import { ADMIN_KEY, startTestService } from '../support/test-service.js';
import { Pipeline } from './support/pipeline.js';
import { laneOf, seedEvents, type SeededDestination } from './support/seed.js';

/** Time for the socket timeout, the reconnect, a lease and a sweep. TCP alone would take 15 minutes. */
const RECOVERY_MS = 200_000;

/** Expects that each published event arrived once, in order, and that the lane is healthy. */
async function expectDelivered(
  pipeline: Pipeline,
  destination: SeededDestination,
  published: readonly string[],
): Promise<void> {
  await pipeline.settled(destination, RECOVERY_MS);
  expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
  expect(await laneOf(pipeline.store, destination.id)).toMatchObject({ batch_id: null, status: 'healthy' });
}

// Concurrent, since each test mostly waits. Each has its own sandbox, so the destinations are of the kind whose
// endpoint is a setting: the other endpoints are in the environment, which the tests share.
describe('a store whose connections drop silently', { concurrent: true }, () => {
  it.skipIf(inject('redisUrl') === null)('lets connections to Redis time out, and reconnects', async () => {
    const redisUrl = inject('redisUrl') ?? '';
    const relay = await Relay.to(redisUrl);
    const pipeline = await Pipeline.open({ name: 'redis', redisUrl: relay.of(redisUrl) });
    try {
      const destination = await pipeline.destination({ kind: 'monitoring' });
      await pipeline.startWorker();
      const published = [...(await pipeline.publish([destination], 5))];
      await expectDelivered(pipeline, destination, published);
      relay.forget();
      published.push(...(await pipeline.publish([destination], 5)));
      await expectDelivered(pipeline, destination, published);
    } finally {
      await pipeline.close();
      await relay.close();
    }
  });

  it.skipIf(inject('redisUrl') === null)('lets the witness in Redis reconnect', async () => {
    const redisUrl = inject('redisUrl') ?? '';
    const relay = await Relay.to(redisUrl);
    const witness = openRedisWitness(relay.of(redisUrl), `t${randomBytes(6).toString('hex')}`);
    try {
      const nothing = { epoch: 0, lanes: new Map(), cleanups: 0 };
      expect(await witness.read()).toEqual(nothing);
      relay.forget();
      await expect.poll(() => witness.read().catch(() => null), { timeout: 60_000 }).toEqual(nothing);
    } finally {
      await witness.close();
      await relay.close();
    }
  });

  it.skipIf(inject('redisUrl') === null)(
    'lets a job that continues record its attempts while Redis hangs',
    async () => {
      const redisUrl = inject('redisUrl') ?? '';
      const relay = await Relay.to(redisUrl);
      const limits = { ...targetLimits, monitoring: { ...targetLimits.monitoring, records: 500 } };
      const pipeline = await Pipeline.open({ name: 'redis', redisUrl: relay.of(redisUrl) }, {}, limits);
      try {
        const destination = await pipeline.destination({ kind: 'monitoring' });
        const ids = await seedEvents(pipeline.store, [destination], 1_200);
        const { address } = destination;
        pipeline.sandbox.script({ address, kind: 'slow', delayMs: 500, contains: ids[0] ?? '' });
        await pipeline.startWorker();
        pipeline.dispatcher.notify([destination.id]);
        await until(
          async () => (await laneOf(pipeline.store, destination.id)).attempt_token !== null,
          'the first batch is being sent',
        );
        relay.silence();
        await pipeline.settled(destination, RECOVERY_MS);
        expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(ids);
      } finally {
        relay.speak();
        await pipeline.close();
        await relay.close();
      }
    },
  );

  it('lets connections to Postgres and its queues time out, and reconnects', async () => {
    const relay = await Relay.to(inject('postgresUrl'));
    const through = (url: string): string => relay.of(url);
    const pipeline = await Pipeline.open(onPostgres, {}, undefined, { through });
    try {
      const destination = await pipeline.destination({ kind: 'monitoring' });
      await pipeline.startWorker();
      const published = [...(await pipeline.publish([destination], 5))];
      await expectDelivered(pipeline, destination, published);
      // One connection is in a transaction at that moment: the transaction fails.
      const forgotten = pipeline.store.db.transaction().execute(async (trx) => {
        await trx.selectFrom('accounts').select('id').execute();
        relay.forget();
        await trx.selectFrom('accounts').select('id').execute();
      });
      await expect(forgotten).rejects.toThrow(/sent no data|connection error/);
      published.push(...(await pipeline.publish([destination], 5)));
      await expectDelivered(pipeline, destination, published);
    } finally {
      await pipeline.close();
      await relay.close();
    }
  });

  it('makes the API respond with 503 while Postgres hangs, and work when Postgres is back', async () => {
    const relay = await Relay.to(inject('postgresUrl'));
    const store = await createTestStore();
    const service = await startTestService(relay.of(store.connectionString), { LOG_LEVEL: 'silent' });
    const client = new TestClient(service.url, ADMIN_KEY);
    const read = () => client.get('/ip_policies');
    const write = () => client.post('/ip_policies', { description: 'office' }, { 'idempotency-key': 'once' });
    try {
      expect((await read()).status).toBe(200);
      relay.silence();
      const responses = await Promise.all([...Array.from({ length: 30 }, read), write()]);
      for (const response of responses) {
        expect(response.status).toBe(503);
        expect(response.headers.get('content-type')).toContain('application/problem+json');
        expect(response.body).toMatchObject({ status: 503 });
      }
      relay.speak();
      await until(async () => (await write()).status === 201, 'writes succeed again', RECOVERY_MS);
      expect((await read()).status).toBe(200);
    } finally {
      await service.stop();
      await store.close();
      await relay.close();
    }
  });
});
