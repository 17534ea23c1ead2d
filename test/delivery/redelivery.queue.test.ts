import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Redeliveries } from '../../src/delivery/redelivery/redeliveries.js';
import { RedeliveryStore } from '../../src/delivery/redelivery/redelivery-store.js';
import { DeliveryViewStore, MAX_ATTEMPTS_SHOWN } from '../../src/destinations/deliveries/view/delivery-view-store.js';
import { until } from '../../tools/harness/until.js';
import { describeOnEveryBackend } from '../support/redis.js';
import { Pipeline } from './support/pipeline.js';
import { deliveriesOf, laneOf, type SeededDestination } from './support/seed.js';

describeOnEveryBackend('redelivery', (backend) => {
  /** For what is the same with every queue. */
  const isPostgres = backend.name === 'postgres';
  let pipeline: Pipeline;
  let redeliveries: Redeliveries;
  beforeAll(async () => {
    pipeline = await Pipeline.open(backend);
    await pipeline.startWorker();
    redeliveries = new Redeliveries(new RedeliveryStore(pipeline.store.db), pipeline.dispatcher);
  });
  afterAll(() => pipeline.close());

  /** Returns how often each number arrived. Expects that each always came with the same event. */
  function arrivals(destination: SeededDestination): readonly number[] {
    const events = new Map<number, string>();
    const counts: number[] = [];
    for (const { event_id: id, sequence } of pipeline.received(destination)) {
      expect(events.get(sequence) ?? id).toBe(id);
      events.set(sequence, id);
      counts[sequence - 1] = (counts[sequence - 1] ?? 0) + 1;
    }
    return counts;
  }

  it('makes no gap, loses no event and changes no number while other events are delivered', async () => {
    const destination = await pipeline.destination();
    const ids: string[] = [];
    let redelivered = 0;
    const publishing = (async () => {
      for (let n = 0; n < 40; n += 1) {
        ids.push(...(await pipeline.publish([destination], 25)));
        await sleep(10);
      }
    })();
    for (let n = 0; n < 40 || redelivered === 0; n += 1) {
      const some = ids.filter((_, index) => index % 7 === n % 7);
      if (some.length > 0) {
        const result = await redeliveries.events(pipeline.accountId, destination.id, some);
        redelivered += 'count' in result ? result.count : 0;
      }
      await sleep(10);
    }
    await publishing;
    await pipeline.settled(destination);
    const counts = arrivals(destination);
    expect(counts).toHaveLength(ids.length);
    expect(counts.every((count) => count >= 1)).toBe(true);
    expect(redelivered).toBeGreaterThan(0);
    // Nothing fails here, so each redelivery arrived once.
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(ids.length + redelivered);
  });

  it.runIf(isPostgres)(
    'continues a large range where the last request ended, and takes each delivery once',
    async () => {
      const destination = await pipeline.destination();
      for (const ageMs of [50_000, 40_000, 30_000]) await pipeline.publish([destination], 700, { ageMs });
      await pipeline.settled(destination);
      const counts: number[] = [];
      let from: Date | null = new Date(0);
      while (from !== null) {
        const range = { state: 'delivered', from, to: new Date() } as const;
        const { count, nextFrom }: { count: number; nextFrom: Date | null } = await redeliveries.range(
          destination.id,
          range,
          100,
        );
        counts.push(count);
        from = nextFrom;
      }
      // Pages have 1,000 deliveries, and those of one millisecond stay together.
      expect(counts).toEqual([1_400, 700]);
      await pipeline.settled(destination);
      expect(arrivals(destination)).toEqual(Array.from({ length: 2_100 }, () => 2));
    },
  );

  it.runIf(isPostgres)(
    'returns the rest of a range when a page fails, and fails when nothing was redelivered',
    async () => {
      const destination = await pipeline.destination();
      for (const ageMs of [50_000, 40_000]) await pipeline.publish([destination], 1_000, { ageMs });
      await pipeline.settled(destination);
      const store = new RedeliveryStore(pipeline.store.db);
      const read = store.redeliverPage.bind(store);
      let page = 0;
      vi.spyOn(store, 'redeliverPage').mockImplementation((...given) => {
        page += 1;
        return page === 1 || page === 3 ? Promise.reject(new Error('no connection')) : read(...given);
      });
      const failing = new Redeliveries(store, pipeline.dispatcher);
      const range = { state: 'delivered', from: new Date(0), to: new Date() } as const;
      await expect(failing.range(destination.id, range)).rejects.toThrow('no connection');
      const { count, nextFrom } = await failing.range(destination.id, range);
      expect(count).toBe(1_000);
      // The deliveries of the first page have this millisecond, and may be delivered again by now.
      const from = new Date((nextFrom?.getTime() ?? 0) + 1);
      expect(await failing.range(destination.id, { ...range, from })).toEqual({ count: 1_000, nextFrom: null });
      await pipeline.settled(destination);
      expect(arrivals(destination)).toEqual(Array.from({ length: 2_000 }, () => 2));
    },
  );

  it('goes before waiting deliveries, in the original order', async () => {
    const destination = await pipeline.destination();
    const [first, second] = await pipeline.publish([destination], 2);
    await pipeline.settled(destination);
    const heal = pipeline.sandbox.script({
      target: 'data_stream',
      address: destination.address,
      kind: 'deny',
    });
    await pipeline.publish([destination], 1);
    await until(async () => (await laneOf(pipeline.store, destination.id)).status === 'misconfigured', 'misconfigured');
    await pipeline.publish([destination], 1);
    await redeliveries.events(pipeline.accountId, destination.id, [second ?? '', first ?? '']);
    heal();
    await pipeline.dispatcher.resume(destination.id);
    await pipeline.settled(destination);
    // The third was in flight already, and a batch in flight does not change.
    expect(pipeline.received(destination).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 1, 2, 4]);
  });

  it.runIf(isPostgres)('keeps a bounded number of earlier runs', async () => {
    const destination = await pipeline.destination();
    const [event = ''] = await pipeline.publish([destination], 1);
    const runs = 13;
    for (let n = 1; n < runs; n += 1) {
      await pipeline.settled(destination);
      await redeliveries.events(pipeline.accountId, destination.id, [event]);
    }
    await pipeline.settled(destination);
    expect(pipeline.received(destination)).toHaveLength(runs);
    const view = await new DeliveryViewStore(pipeline.store.db).find(pipeline.accountId, destination.id, event);
    expect(view?.attempts).toHaveLength(11);
    expect(view?.attempts.length).toBeLessThanOrEqual(MAX_ATTEMPTS_SHOWN);
    expect(view?.attemptCount).toBe(11);
    expect(await deliveriesOf(pipeline.store, destination.id)).toMatchObject([{ sequence: 1, attempts: 1 }]);
  });

  it.runIf(isPostgres)('does nothing for a deleted destination', async () => {
    const destination = await pipeline.destination();
    const [event = ''] = await pipeline.publish([destination], 1);
    await pipeline.settled(destination);
    await pipeline.store.pool.query('delete from resources where id = $1', [destination.id]);
    expect(await redeliveries.events(pipeline.accountId, destination.id, [event])).toEqual({ count: 0 });
    expect(await deliveriesOf(pipeline.store, destination.id)).toMatchObject([{ state: 'delivered' }]);
  });
});
