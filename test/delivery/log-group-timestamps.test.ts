import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../tools/harness/until.js';
import { onPostgres } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { laneOf, type SeededDestination } from './support/seed.js';

describe('the timestamps of a log group', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await Pipeline.open(onPostgres);
  });
  afterAll(() => pipeline.close());

  const received = ({ address }: SeededDestination) =>
    pipeline.sandbox.received({ address }).map(({ body, attributes = '' }) => {
      const { sequence }: { sequence: number } = JSON.parse(body);
      const { timestamp }: { timestamp: number } = JSON.parse(attributes);
      return { sequence, timestamp };
    });

  it('ascend also when another worker takes over, and are the same for an event that is sent again', async () => {
    const destination = await pipeline.destination({ kind: 'log_group' });
    await pipeline.startWorker();
    await pipeline.publish([destination], 1);
    await pipeline.settled(destination);
    const [first] = received(destination);
    const timestamp = first?.timestamp ?? 0;
    expect(await laneOf(pipeline.store, destination.id)).toMatchObject({ latest_timestamp_ms: timestamp });
    await pipeline.stopWorkers();

    // The change of this event began before that of the first one, and took longer. Its worker stops during the call.
    const heal = pipeline.sandbox.script({ address: destination.address, kind: 'timeout', accepts: true });
    await pipeline.startWorker({ SHUTDOWN_DEADLINE_MS: 0 });
    await pipeline.publish([destination], 1, { ageMs: 8_000 });
    await until(() => received(destination).length === 2, 'the second event arrived');
    await pipeline.stopWorkers();
    heal();

    await pipeline.startWorker();
    await pipeline.settled(destination);
    await pipeline.publish([destination], 1, { ageMs: 4_000 });
    await pipeline.settled(destination);
    expect(received(destination)).toEqual([1, 2, 2, 3].map((sequence) => ({ sequence, timestamp })));
  });
});
