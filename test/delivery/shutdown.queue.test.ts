import { afterEach, beforeEach, expect, it } from 'vitest';
import { targetLimits } from '../../src/targets/registry.js';
import { until } from '../../tools/harness/until.js';
import { describeOnEveryBackend } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { attemptsOf, laneOf } from './support/seed.js';

describeOnEveryBackend('shutdown', (backend) => {
  let pipeline: Pipeline;
  beforeEach(async () => {
    const few = { ...targetLimits, data_stream: { ...targetLimits.data_stream, records: 5 } };
    pipeline = await Pipeline.open(backend, {}, few);
  });
  afterEach(() => pipeline.close());

  it('records the attempts under way, and leaves waiting deliveries to the next worker', async () => {
    const destinations = await Promise.all(Array.from({ length: 4 }, () => pipeline.destination()));
    pipeline.sandbox.script({ kind: 'slow', delayMs: 20 });
    await pipeline.startWorker();
    const published = await pipeline.publish(destinations, 200);
    await until(() => pipeline.sandbox.received().length > 100, 'some events arrived');
    await pipeline.stopWorkers();
    const received = pipeline.sandbox.received().length;
    const { rows } = await pipeline.store.pool.query(
      `select count(*)::int as delivered from finished_deliveries where state = 'delivered'`,
    );
    expect(rows).toEqual([{ delivered: received }]);
    expect(received).toBeLessThan(800);
    await pipeline.startWorker();
    for (const destination of destinations) {
      await pipeline.settled(destination);
      expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
    }
  });

  it('aborts calls at the deadline without a failure of the destination, and the next worker retries at once', async () => {
    const destination = await pipeline.destination();
    pipeline.sandbox.script({ address: destination.address, kind: 'timeout' });
    await pipeline.startWorker({ DELIVERY_SEND_TIMEOUT_MS: 300_000, SHUTDOWN_DEADLINE_MS: 2_000 });
    await pipeline.publish([destination], 1);
    await until(
      async () => (await laneOf(pipeline.store, destination.id)).attempt_token !== null,
      'the attempt is under way',
    );
    await pipeline.stopWorkers();
    expect(await laneOf(pipeline.store, destination.id)).toMatchObject({
      status: 'healthy',
      failures: 0,
      last_error_code: null,
      resume_at: null,
      attempt_token: null,
    });
    expect(await attemptsOf(pipeline.store, destination.id)).toMatchObject([
      { outcome: 'interrupted', code: 'interrupted', records: 1, retried: 1 },
    ]);
    pipeline.sandbox.clear();
    await pipeline.startWorker();
    await pipeline.settled(destination);
    expect(pipeline.received(destination)).toMatchObject([{ sequence: 1 }]);
  });
});
