import { Waybill, WaybillPublisherFullError, type PublishedEventInput } from '@waybill/client';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let waybill: Waybill;
/** Number of events of each request, in order. */
let requests: number[] = [];
let underWay = 0;
let mostUnderWay = 0;
/** Called before a request is sent. Returns a response instead of that of the API. */
let before: () => Promise<Response | void>;

beforeAll(async () => {
  api = await startTestApi();
  waybill = new Waybill({
    url: api.baseUrl,
    key: api.admin.token ?? '',
    fetch: async (url, init) => {
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : null;
      if (body && typeof body === 'object' && 'events' in body) requests.push((body.events as unknown[]).length);
      underWay += 1;
      mostUnderWay = Math.max(mostUnderWay, underWay);
      try {
        return (await before()) ?? (await fetch(url, init));
      } finally {
        underWay -= 1;
      }
    },
  });
  before = () => Promise.resolve();
  await waybill.resourceTypes.create({
    name: 'order',
    schema: { type: 'object', properties: { total: { type: 'integer' } } },
  });
});
afterAll(() => api.close());
beforeEach(() => {
  requests = [];
  mostUnderWay = 0;
  before = () => Promise.resolve();
});

function orderEvent(resourceId: string, more: Partial<PublishedEventInput> = {}): PublishedEventInput {
  const { id = null, ...others } = more;
  return {
    type: 'order_updated.v0',
    resource_id: resourceId,
    object: { total: 1 },
    ...others,
    id: id === null ? null : `${resourceId}-${id}`,
  };
}

/** Returns the stored events of a resource, oldest first. */
async function stored(resourceId: string): Promise<readonly Record<string, unknown>[]> {
  const objects: Record<string, unknown>[] = [];
  for await (const { payload } of waybill.events.list({
    type: ['order_updated.v0'],
    object_id: resourceId,
    order: 'oldest_first',
  }))
    objects.push({ ...payload?.object });
  return objects;
}

describe('a publisher', () => {
  it('sends events that arrive together as one request, and gives each its result', async () => {
    const publisher = waybill.publisher();
    const results = await Promise.all(['a', 'b', 'a'].map((id) => publisher.publish(orderEvent('together', { id }))));
    expect(requests).toEqual([3]);
    expect(results.map(({ duplicate }) => duplicate)).toEqual([false, false, true]);
    expect(results[2]?.event_id).toBe(results[0]?.event_id);
    expect(new Set(results.map(({ event_id: id }) => id)).size).toBe(2);
  });

  it('sends no more than the API accepts in a request, one request at a time, in order', async () => {
    const publisher = waybill.publisher();
    const numbers = Array.from({ length: 501 }, (_, total) => total);
    await Promise.all(numbers.map((total) => publisher.publish(orderEvent('many', { object: { total } }))));
    expect(requests).toEqual([500, 1]);
    expect(mostUnderWay).toBe(1);
    expect((await stored('many')).map(({ total }) => total)).toEqual(numbers);

    const text = 'x'.repeat(50_000);
    await Promise.all(numbers.slice(0, 45).map(() => publisher.publish(orderEvent('large', { object: { text } }))));
    expect(requests).toEqual([500, 1, 41, 4]);
  });

  it('lets what fails by itself fail alone: as if each event had been published by itself', async () => {
    let run = 0;
    const kinds = fc.record({
      id: fc.option(fc.constantFrom('1', '2', '3'), { nil: null }),
      total: fc.constantFrom<unknown>(1, 2, 'text'),
      type: fc.constantFrom('order_updated.v0', 'order_updated.v0', 'order_lost.v0'),
    });
    const outcomes = (promises: readonly Promise<{ duplicate: boolean }>[]) =>
      Promise.all(
        promises.map((promise) =>
          promise.then(
            ({ duplicate }) => ({ duplicate }),
            (error: { errorCode: string; errors: readonly { pointer: string }[] }) => [
              error.errorCode,
              error.errors.map(({ pointer }) => pointer),
            ],
          ),
        ),
      );
    await fc.assert(
      fc.asyncProperty(fc.array(kinds, { minLength: 1, maxLength: 12 }), async (events) => {
        run += 1;
        const inputs = (who: string) =>
          events.map(({ id, total, type }) => orderEvent(`${who}-${run}`, { id, type, object: { total } }));
        const alone: unknown[] = [];
        for (const event of inputs('alone'))
          alone.push(...(await outcomes([waybill.events.publish([event]).then(([result]) => result as never)])));
        const publisher = waybill.publisher();
        const together = await outcomes(inputs('together').map((event) => publisher.publish(event)));
        expect(together).toEqual(alone);
        expect(await stored(`together-${run}`)).toEqual(await stored(`alone-${run}`));
      }),
      { numRuns: 12 },
    );
  });

  it('sends smaller requests where a proxy refuses their size', async () => {
    before = () => Promise.resolve((requests.at(-1) ?? 0) > 2 ? new Response('', { status: 413 }) : undefined);
    const publisher = waybill.publisher();
    await Promise.all(['1', '2', '3', '4', '5'].map((id) => publisher.publish(orderEvent('proxied', { id }))));
    expect(requests).toEqual([5, 3, 2, 1, 2]);
    expect(await stored('proxied')).toHaveLength(5);
  });

  it('repeats a request as the client does, and stores its events once', async () => {
    let lost = 0;
    before = async () => {
      lost += 1;
      if (lost === 1) throw new TypeError('fetch failed');
      await Promise.resolve();
    };
    await waybill.publisher().publish(orderEvent('repeated'));
    expect(requests).toEqual([1, 1]);
    expect(await stored('repeated')).toHaveLength(1);
  });

  it('takes only what fits into its memory, and says when there is room', async () => {
    let open: () => void = () => {};
    before = () => new Promise<void>((resolve) => void (open = resolve));
    const publisher = waybill.publisher({ maxWaitMs: 0, maxPendingBytes: 2_000 });
    const first = publisher.publish(orderEvent('bounded'));
    const [second, third] = [publisher.publish(orderEvent('bounded')), publisher.publish(orderEvent('bounded'))];
    await expect(publisher.publish(orderEvent('bounded'))).rejects.toThrow(WaybillPublisherFullError);
    let ready = false;
    const room = publisher.ready().then(() => void (ready = true));
    await expect.poll(() => underWay).toBe(1);
    expect(ready).toBe(false);
    before = () => Promise.resolve();
    open();
    await Promise.all([first, second, third, room]);
    await publisher.publish(orderEvent('bounded'));
    expect(await stored('bounded')).toHaveLength(4);
  });

  it('lets many callers of `ready` publish one after the other, also beside one that does not', async () => {
    const publisher = waybill.publisher({ maxWaitMs: 0, maxPendingBytes: 2_000 });
    const publish = async () => {
      await publisher.ready();
      await publisher.publish(orderEvent('queued'));
    };
    await Promise.all([publish(), publisher.ready(), publisher.ready(), ...Array.from({ length: 19 }, publish)]);
    expect(await stored('queued')).toHaveLength(20);
  });

  it('has the memory of an event again when the event has its result, or its error', async () => {
    const publisher = waybill.publisher({ maxWaitMs: 0, maxPendingBytes: 1_000 });
    const errors: unknown[] = [];
    for (const type of ['order_updated.v0', 'order_updated.v0', 'order_lost.v0', 'order_updated.v0']) {
      // Without a `catch` of the promise, which would give the publisher more time.
      try {
        await publisher.publish(orderEvent('sequential', { type }));
      } catch (error) {
        errors.push(error);
      }
    }
    expect(errors).toMatchObject([{ errorCode: 'invalid_input' }]);
    expect(await stored('sequential')).toHaveLength(3);
  });

  it('flushes what was published before, and takes nothing when it is closed', async () => {
    const publisher = waybill.publisher({ maxWaitMs: 60_000 });
    const results: string[] = [];
    for (const id of ['1', '2']) {
      void publisher.publish(orderEvent('flushed', { id })).then(({ event_id: event }) => results.push(event));
    }
    await publisher.flush();
    expect(results).toHaveLength(2);
    const last = publisher.publish(orderEvent('flushed', { id: '3' }));
    await publisher.close();
    expect((await last).duplicate).toBe(false);
    await expect(publisher.publish(orderEvent('flushed'))).rejects.toThrow('The publisher is closed.');
    await publisher.close();
  });

  it('gives every event of a request the error that is about none of them', async () => {
    const publisher = new Waybill({ url: api.baseUrl, key: 'unknown' }).publisher();
    const results = await Promise.allSettled([publisher.publish(orderEvent('x')), publisher.publish(orderEvent('y'))]);
    expect(results).toMatchObject([{ reason: { status: 401 } }, { reason: { status: 401 } }]);
  });
});
