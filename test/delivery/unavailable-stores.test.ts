import { describe, expect, inject, it } from 'vitest';
import { createTestStore } from '../support/database.js';
import { TestClient } from '../support/api-client.js';
import { Relay } from '../support/relay.js';
import { ADMIN_KEY, startTestService } from '../support/test-service.js';
import { Pipeline, until } from './support/pipeline.js';
import { laneOf, type SeededDestination } from './support/seed.js';

/** Silence that is waited out, reconnecting, a lease and a sweep; by itself TCP would take a quarter of an hour. */
const WITHIN_MS = 75_000;

/** Expects that everything that was published arrived once, in order, and that the lane has recovered. */
async function expectDelivered(
  pipeline: Pipeline,
  destination: SeededDestination,
  published: readonly string[],
): Promise<void> {
  await pipeline.settled(destination, WITHIN_MS);
  expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
  expect(await laneOf(pipeline.store, destination.id)).toMatchObject({ batch_id: null, status: 'healthy' });
}

// Side by side, for each mostly waits for somebody who says nothing. Each has a sandbox of its own, so the destinations are of the
// kind whose endpoint is a setting: that of the others is in the environment, which they share.
describe('what vanishes without a word', { timeout: 120_000, concurrent: true }, () => {
  it.skipIf(inject('redisUrl') === null)('connections to Redis are found and made anew', async () => {
    const redisUrl = inject('redisUrl') ?? '';
    const relay = await Relay.to(redisUrl);
    const pipeline = await Pipeline.open({ name: 'redis', redisUrl: relay.of(redisUrl) });
    try {
      const destination = await pipeline.destination({ kind: 'monitoring' });
      pipeline.startWorker();
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

  it('connections to Postgres, with the queues in it, are found and made anew', async () => {
    const relay = await Relay.to(inject('postgresUrl'));
    const through = (url: string): string => relay.of(url);
    const backend = { name: 'postgres', redisUrl: undefined } as const;
    const pipeline = await Pipeline.open(backend, {}, undefined, { through });
    try {
      const destination = await pipeline.destination({ kind: 'monitoring' });
      pipeline.startWorker();
      const published = [...(await pipeline.publish([destination], 5))];
      await expectDelivered(pipeline, destination, published);
      // One of them holds a transaction when it happens: its work is undone, and whoever began it is told.
      const forgotten = pipeline.store.db.transaction().execute(async (trx) => {
        await trx.selectFrom('accounts').select('id').execute();
        relay.forget();
        await trx.selectFrom('accounts').select('id').execute();
      });
      await expect(forgotten).rejects.toThrow(/has said nothing|connection error/);
      published.push(...(await pipeline.publish([destination], 5)));
      await expectDelivered(pipeline, destination, published);
    } finally {
      await pipeline.close();
      await relay.close();
    }
  });

  it('a silent Postgres lets the API answer 503 in time, and work when it speaks again', async () => {
    const relay = await Relay.to(inject('postgresUrl'));
    const store = await createTestStore();
    const service = await startTestService(relay.of(store.connectionString), { LOG_LEVEL: 'silent' });
    const client = new TestClient(service.url, ADMIN_KEY);
    const read = () => client.get('/ip_policies');
    const write = () => client.post('/ip_policies', { description: 'office' }, { 'idempotency-key': 'once' });
    try {
      expect((await read()).status).toBe(200);
      relay.silence();
      const answers = await Promise.all([...Array.from({ length: 30 }, read), write()]);
      for (const answer of answers) {
        expect(answer.status).toBe(503);
        expect(answer.headers.get('content-type')).toContain('application/problem+json');
        expect(answer.body).toMatchObject({ status: 503 });
      }
      relay.speak();
      await until(async () => (await write()).status === 201, 'it writes again', WITHIN_MS);
      expect((await read()).status).toBe(200);
    } finally {
      await service.stop();
      await store.close();
      await relay.close();
    }
  });
});
