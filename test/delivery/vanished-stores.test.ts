import { describe, expect, inject, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { createLogger } from '../../src/logging/logger.js';
import { startService } from '../../src/service.js';
import { createTestStore } from '../support/database.js';
import { Relay } from '../support/relay.js';
import { Pipeline, until } from './support/pipeline.js';
import { laneOf, type SeededDestination } from './support/seed.js';

const key = 'a-key-of-the-first-admin-for-this-test';

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

describe('connections that vanish without a word', { timeout: 120_000 }, () => {
  it.skipIf(inject('redisUrl') === null)('to Redis are found and made anew', async () => {
    const redisUrl = inject('redisUrl') ?? '';
    const relay = await Relay.to(redisUrl);
    const pipeline = await Pipeline.open({ name: 'redis', redisUrl: relay.of(redisUrl) });
    try {
      const destination = await pipeline.destination();
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

  it('to Postgres, with the queues in it, are found and made anew', async () => {
    const relay = await Relay.to(inject('postgresUrl'));
    const through = (url: string): string => relay.of(url);
    const pipeline = await Pipeline.open({ name: 'postgres', redisUrl: undefined }, {}, undefined, {
      through,
    });
    try {
      const destination = await pipeline.destination();
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
});

it('the API answers 503 in time while Postgres is silent, and goes on when it speaks again', async () => {
  const relay = await Relay.to(inject('postgresUrl'));
  const store = await createTestStore();
  const config = readConfig({
    DATABASE_URL: relay.of(store.connectionString),
    SECRETS_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    BOOTSTRAP_API_KEY: key,
    PORT: '0',
    LOG_LEVEL: 'silent',
  });
  const service = await startService(config, createLogger('silent'), () => {});
  const headers = {
    Authorization: `Bearer ${key}`,
    'Service-Version': '2',
    'Content-Type': 'application/json',
  };
  const read = () => fetch(`${service.url}/ip_policies`, { headers });
  const write = () =>
    fetch(`${service.url}/ip_policies`, {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': 'once' },
      body: '{"description": "office"}',
    });
  try {
    expect((await read()).status).toBe(200);
    relay.silence();
    const answers = await Promise.all([...Array.from({ length: 30 }, read), write()]);
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(await answer.json()).toMatchObject({ status: 503 });
    }
    relay.speak();
    await until(async () => (await write()).status === 201, 'it writes again', WITHIN_MS);
    expect((await read()).status).toBe(200);
  } finally {
    await service.stop();
    await store.close();
    await relay.close();
  }
}, 120_000);
