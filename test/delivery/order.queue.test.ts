import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnEveryBackend } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { attemptsOf, deliveriesOf, laneOf } from './support/seed.js';

function eventIn(body: string): { sequence: number; object: { id: string } } {
  return JSON.parse(body);
}

describeOnEveryBackend('the order of a destination', (backend) => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await Pipeline.open(backend);
    await pipeline.startWorker();
  });
  beforeEach(() => pipeline.sandbox.clear());
  afterAll(() => pipeline.close());

  it('holds for each resource while the target accepts every call in part, without loss or repetition', async () => {
    const destination = await pipeline.destination();
    const resources = 7;
    const heal = pipeline.sandbox.script({ address: destination.address, kind: 'partial', ratio: 0.3 });
    const published = [
      ...(await pipeline.publish([destination], 120, { resources })),
      ...(await pipeline.publish([destination], 60, { resources: 2 })),
    ];
    await pipeline.settled(destination);
    heal();
    const received = pipeline.sandbox.received({ address: destination.address }).map(({ body }) => eventIn(body));
    expect(received.map(({ sequence }) => sequence).toSorted((a, b) => a - b)).toEqual(
      published.map((_, index) => index + 1),
    );
    const newest = new Map<string, number>();
    const violations = received.filter(({ sequence, object }) => {
      const before = newest.get(object.id) ?? 0;
      newest.set(object.id, Math.max(before, sequence));
      return sequence < before;
    });
    expect(violations).toEqual([]);
    expect((await attemptsOf(pipeline.store, destination.id)).some(({ retried }) => retried > 0)).toBe(true);
  });

  it('holds for all events when nothing fails, also with more events of a resource than an attempt has calls', async () => {
    const destination = await pipeline.destination();
    // 64 calls take more than a second.
    pipeline.sandbox.script({ address: destination.address, kind: 'slow', delayMs: 20 });
    const published = await pipeline.publish([destination], 150, { resources: 1 });
    await pipeline.settled(destination);
    expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
    const attempts = await attemptsOf(pipeline.store, destination.id);
    expect(attempts.map(({ outcome, records, retried }) => ({ outcome, records, retried }))).toEqual(
      [64, 64, 22].map((records) => ({ outcome: 'healthy', records, retried: 0 })),
    );
    expect(await laneOf(pipeline.store, destination.id)).toMatchObject({ status: 'healthy', failures: 0 });
    const deliveries = await deliveriesOf(pipeline.store, destination.id);
    expect(new Set(deliveries.map(({ attempts: tries }) => tries))).toEqual(new Set([1]));
  });

  it('needs one call when every event is of another resource', async () => {
    const destination = await pipeline.destination();
    await pipeline.publish([destination], 200);
    await pipeline.settled(destination);
    const calls = pipeline.sandbox.calls().filter(({ target }) => target === 'data_stream');
    expect(calls).toMatchObject([{ calls: 1 }]);
  });

  it('holds for events behind a failure: they are neither sent nor counted, and keep their numbers', async () => {
    const destination = await pipeline.destination();
    const repair = pipeline.sandbox.script({ address: destination.address, kind: 'deny' });
    const published = [...(await pipeline.publish([destination], 3, { resources: 1 }))];
    await expect.poll(async () => (await laneOf(pipeline.store, destination.id)).status).toBe('misconfigured');
    expect(await attemptsOf(pipeline.store, destination.id)).toMatchObject([{ records: 1, retried: 1 }]);
    expect(await deliveriesOf(pipeline.store, destination.id)).toMatchObject([
      { sequence: 1, attempts: 1, error_code: 'AccessDeniedException' },
      { sequence: null, attempts: 0, error_code: null },
      { sequence: null, attempts: 0, error_code: null },
    ]);
    repair();
    published.push(...(await pipeline.publish([destination], 2)));
    await pipeline.dispatcher.resume(destination.id);
    await pipeline.settled(destination);
    expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(published);
    expect(pipeline.received(destination).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
  });
});
