import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { onPostgres } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { attemptsOf, deliveriesOf } from './support/seed.js';

describe('packed records', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await Pipeline.open(onPostgres);
    await pipeline.startWorker();
  });
  beforeEach(() => pipeline.sandbox.clear());
  afterAll(() => pipeline.close());

  /** Calls of the batches, where the sandbox has no others of this kind. */
  const callsTo = (kind: string) =>
    pipeline.sandbox
      .calls()
      .filter(({ target }) => target === kind)
      .reduce((sum, { calls }) => sum + calls, 0);

  it.each(['delivery_stream', 'data_stream'] as const)(
    'deliver a burst on one resource to a %s in order, in a call for each batch',
    async (kind) => {
      const destination = await pipeline.destination({ kind, records: 'packed' });
      const published = await pipeline.publish([destination], 1_200, { resources: 1 });
      await pipeline.settled(destination);
      const received = pipeline.received(destination);
      expect(received.map(({ event_id }) => event_id)).toEqual(published);
      expect(received.map(({ sequence }) => sequence)).toEqual(published.map((_, index) => index + 1));
      expect(callsTo(kind)).toBe(3);
      expect(await attemptsOf(pipeline.store, destination.id)).toHaveLength(3);
    },
  );

  it.each(['delivery_stream', 'data_stream'] as const)(
    'keep the order of each resource of a %s while the target accepts every call in part',
    async (kind) => {
      const destination = await pipeline.destination({ kind, records: 'packed' });
      const heal = pipeline.sandbox.script({ address: destination.address, kind: 'partial', ratio: 0.3 });
      const published = [
        ...(await pipeline.publish([destination], 300, { resources: 9 })),
        ...(await pipeline.publish([destination], 200, { resources: 4 })),
      ];
      await pipeline.settled(destination);
      const wasRefused = async (): Promise<boolean> =>
        (await attemptsOf(pipeline.store, destination.id)).some(({ retried }) => retried > 0);
      // Packed, everything may fit into two calls, of which the target accepts each record by chance.
      for (let round = 1; round <= 40 && !(await wasRefused()); round += 1) {
        published.push(...(await pipeline.publish([destination], 20, { resources: 4 })));
        await pipeline.settled(destination);
      }
      heal();
      const received = pipeline.sandbox
        .received({ address: destination.address })
        .map(({ body }): { event_id: string; sequence: number; object: { id: string } } => JSON.parse(body));
      expect(received.map(({ event_id }) => event_id).toSorted()).toEqual(published.toSorted());
      const newest = new Map<string, number>();
      for (const { sequence, object } of received) {
        expect(sequence).toBeGreaterThan(newest.get(object.id) ?? 0);
        newest.set(object.id, sequence);
      }
      expect(await wasRefused()).toBe(true);
    },
  );

  it.each(['delivery_stream', 'data_stream'] as const)(
    'of a %s with one event that is refused reject that event alone',
    async (kind) => {
      const destination = await pipeline.destination({ kind, records: 'packed' });
      const created = { resources: 1, type: 'ip_policy_updated.v0' };
      const before = await pipeline.publish([destination], 40, created);
      await pipeline.settled(destination);
      pipeline.sandbox.script({ address: destination.address, kind: 'malformed', contains: '"sequence":57' });
      const published = [...before, ...(await pipeline.publish([destination], 60, created))];
      await pipeline.settled(destination);
      const rejected = published[56];
      expect(pipeline.received(destination).map(({ event_id }) => event_id)).toEqual(
        published.filter((id) => id !== rejected),
      );
      const deliveries = await deliveriesOf(pipeline.store, destination.id);
      expect(deliveries.filter(({ state }) => state !== 'delivered')).toMatchObject([
        { sequence: 57, state: 'rejected' },
      ]);
    },
  );
});
