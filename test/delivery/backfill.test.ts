import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Redeliveries } from '../../src/delivery/redelivery/redeliveries.js';
import { RedeliveryStore } from '../../src/delivery/redelivery/redelivery-store.js';
import { DeliveryViewStore } from '../../src/destinations/deliveries/view/delivery-view-store.js';
import { onPostgres } from '../support/redis.js';
import { feedAll, feederOf, progressOf, requestBackfill, subscribe } from './support/backfills.js';
import { Pipeline } from './support/pipeline.js';
import type { SeededDestination } from './support/seed.js';

describe('a backfill', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await Pipeline.open(onPostgres);
    await pipeline.startWorker();
  });
  afterAll(() => pipeline.close());

  interface Arrival {
    readonly event_id: string;
    readonly sequence: number;
    readonly backfill?: true;
  }

  /** The events that arrived at a destination, in order. */
  const arrivals = (destination: SeededDestination): readonly Arrival[] => pipeline.received(destination);

  it('sends earlier events marked and numbered without a gap, between live ones, each once', async () => {
    const earlier = await pipeline.destination();
    const history = await pipeline.publish([earlier], 350, { resources: 5 });
    await pipeline.settled(earlier);
    const destination = await pipeline.destination();
    await subscribe(pipeline, destination);
    const backfill = await requestBackfill(pipeline, destination);
    const live: string[] = [];
    const publishing = (async () => {
      for (let n = 0; n < 30; n += 1) {
        live.push(...(await pipeline.publish([destination], 3, { resources: 5 })));
        await sleep(20);
      }
    })();
    // Two processes take part.
    await Promise.all([feedAll(feederOf(pipeline)), feedAll(feederOf(pipeline)), publishing]);
    await pipeline.settled(destination);
    const all = arrivals(destination);
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
    expect(all.filter((event) => event.backfill).map(({ event_id: id }) => id)).toEqual(history);
    expect(all.filter((event) => !event.backfill).map(({ event_id: id }) => id)).toEqual(live);
    expect(await progressOf(pipeline, backfill)).toMatchObject({
      state: 'finished',
      total: 350,
      queued: 350,
      skipped: 0,
    });
    // The other destination received nothing again.
    expect(arrivals(earlier).map(({ event_id: id }) => id)).toEqual(history);
  });

  it('keeps the mark and the number in a redelivery', async () => {
    const earlier = await pipeline.destination();
    const type = 'ip_policy_updated.v0';
    const [event = ''] = await pipeline.publish([earlier], 1, { type });
    await pipeline.settled(earlier);
    const destination = await pipeline.destination();
    await subscribe(pipeline, destination, [type]);
    const backfill = await requestBackfill(pipeline, destination, { types: [type] });
    await feedAll(feederOf(pipeline));
    await pipeline.settled(destination);
    const [before] = arrivals(destination);
    expect(before).toMatchObject({ event_id: event, sequence: 1, backfill: true });
    const redeliveries = new Redeliveries(new RedeliveryStore(pipeline.store.db), pipeline.dispatcher);
    expect(await redeliveries.events(pipeline.accountId, destination.id, [event])).toEqual({ count: 1 });
    await pipeline.settled(destination);
    expect(arrivals(destination)).toEqual([before, before]);
    const view = await new DeliveryViewStore(pipeline.store.db).find(pipeline.accountId, destination.id, event);
    expect(view).toMatchObject({ backfillId: backfill.id, state: 'delivered', sequence: 1 });
    const live = await new DeliveryViewStore(pipeline.store.db).find(pipeline.accountId, earlier.id, event);
    expect(live?.backfillId).toBeNull();
  });

  it('continues when the destination works again', async () => {
    const earlier = await pipeline.destination();
    const type = 'ip_policy_deleted.v0';
    const history = await pipeline.publish([earlier], 30, { type });
    await pipeline.settled(earlier);
    const destination = await pipeline.destination();
    await subscribe(pipeline, destination, [type]);
    const heal = pipeline.sandbox.script({ target: 'data_stream', address: destination.address, kind: 'throttle' });
    const backfill = await requestBackfill(pipeline, destination, { types: [type], events_per_second: 40 });
    const feeding = feedAll(feederOf(pipeline));
    const first = async () => (await progressOf(pipeline, backfill)).queued;
    while ((await first()) === 0) await sleep(20);
    // The first portion fails: none follows.
    await sleep(700);
    expect(await first()).toBe(10);
    heal();
    await feeding;
    await pipeline.settled(destination);
    expect(arrivals(destination).map(({ event_id: id }) => id)).toEqual(history);
  });
});
