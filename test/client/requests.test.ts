import {
  Waybill,
  WaybillDeliveryError,
  WaybillDeliveryTimeoutError,
  WaybillError,
  type PublishedEventInput,
} from '@waybill/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeliveringApi } from '../support/delivering-api.js';

let delivering: DeliveringApi;
let waybill: Waybill;
beforeAll(async () => {
  delivering = await DeliveringApi.start();
  waybill = new Waybill({ url: `${delivering.api.baseUrl}/`, key: delivering.api.admin.token ?? '' });
});
afterAll(() => delivering.close());

describe('a list', () => {
  it('is read to its end, page by page', async () => {
    const made: string[] = [];
    for (let n = 0; n < 7; n += 1) made.unshift((await waybill.botUsers.create({ name: `bot ${n}` })).id);
    const found: string[] = [];
    for await (const { id } of waybill.botUsers.list({ limit: 3 })) found.push(id);
    expect(found).toEqual(made);
    const sizes: number[] = [];
    for await (const page of waybill.botUsers.list({ limit: 3 }).pages()) sizes.push(page.bot_users.length);
    expect(sizes).toEqual([3, 3, 1]);
    const { bot_users: first, next_page_uri: next } = await waybill.botUsers.list({ limit: 2 }).page();
    expect([first.map(({ id }) => id), typeof next]).toEqual([made.slice(0, 2), 'string']);
  });

  it('sends repeated parameters, and can have one page only', async () => {
    const url = 'https://client.example.com';
    await waybill.endpoints.create({ url, traffic_policy: '{}' }).catch(() => null);
    const found: string[] = [];
    for await (const endpoint of waybill.endpoints.list({ url: [url, 'https://other.example.com'] })) {
      found.push(endpoint.id);
    }
    expect(found.length).toBeLessThan(2);
    let types = 0;
    for await (const { type } of waybill.eventTypes.list()) types += Number(type === 'ip_policy_created.v0');
    expect(types).toBe(1);
  });
});

describe('an error', () => {
  it('has the members of the problem document', async () => {
    const error = await waybill.botUsers.create({ name: '' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WaybillError);
    expect(error).toMatchObject({
      name: 'WaybillError',
      status: 400,
      errorCode: 'invalid_input',
      errors: [{ pointer: '/name', detail: expect.any(String) as string }],
      conflicts: [],
      operationId: expect.stringMatching(/^op_/) as string,
    });
    expect(String(error)).toContain('400 invalid_input: /name');
  });

  it('names the resources in conflict', async () => {
    const { id } = await waybill.ipPolicies.create();
    const rule = await waybill.ipPolicyRules.create({ ip_policy_id: id, cidr: '192.0.2.0/24', action: 'allow' });
    await expect(waybill.ipPolicies.delete(id)).rejects.toMatchObject({ status: 409, conflicts: [rule.id] });
  });
});

describe('a read with If-None-Match', () => {
  it('has no data while the version is current', async () => {
    const { id } = await waybill.ipPolicies.create();
    const { headers, data } = await waybill.request('getIpPolicy', { path: { id } });
    expect(data.id).toBe(id);
    const ifNoneMatch = headers.get('etag') ?? '';
    const same = await waybill.request('getIpPolicy', { path: { id }, ifNoneMatch });
    expect([same.status, same.data]).toEqual([304, undefined]);
    await waybill.ipPolicies.update(id, { description: 'changed' });
    const changed = await waybill.request('getIpPolicy', { path: { id }, ifNoneMatch });
    expect(changed.data?.description).toBe('changed');
  });
});

describe('publishing', () => {
  it('takes a list of events, and returns a result for each', async () => {
    await waybill.resourceTypes.create({ name: 'order' });
    const events: PublishedEventInput[] = ['1', '2'].map((id) => ({
      id,
      type: 'order_created.v0',
      resource_id: `order-${id}`,
      object: { total: 1200 },
    }));
    const [first, second] = await waybill.events.publish(events);
    expect(first).toEqual({ event_id: expect.stringMatching(/^evt_/) as string, duplicate: false });
    expect(await waybill.events.publish(events.slice(1))).toEqual([{ ...second, duplicate: true }]);
    await expect(
      waybill.events.publish([...events, { type: 'order_lost.v0', resource_id: 'a', object: {} }]),
    ).rejects.toMatchObject({ errors: [{ pointer: '/events/2/type' }] });
  });
});

describe('waitForDelivery', () => {
  /** Creates an IP policy. Returns the id of its event. */
  async function change(): Promise<string> {
    await waybill.ipPolicies.create();
    for await (const event of waybill.events.list({ type: ['ip_policy_created.v0'], limit: 1 })) return event.id;
    throw new Error('There is no event.');
  }

  it('returns the deliveries when all of them are delivered', async () => {
    const one = await delivering.destination();
    const two = await delivering.destination();
    const eventId = await change();
    const deliveries = await waybill.waitForDelivery(eventId);
    expect(deliveries.map(({ destination_id: id }) => id).toSorted()).toEqual([one.id, two.id].toSorted());
    expect(deliveries.every(({ state, event_id: id }) => state === 'delivered' && id === eventId)).toBe(true);
    const [only, ...others] = await waybill.waitForDelivery(eventId, { destinationId: two.id });
    expect([only?.destination_id, others]).toEqual([two.id, []]);
  });

  it('fails as soon as a delivery has ended otherwise', async () => {
    const { id: destination, arn } = await delivering.destination();
    delivering.sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    const eventId = await change();
    for await (const subscription of waybill.eventSubscriptions.list()) {
      if (subscription.destinations.some(({ id }) => id === destination)) {
        await waybill.eventSubscriptions.update(subscription.id, { destination_ids: [] });
      }
    }
    await waybill.eventDestinations.delete(destination);
    const error = await waybill.waitForDelivery(eventId).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WaybillDeliveryError);
    expect(error).toMatchObject({ eventId, failed: [{ destination_id: destination, state: 'cancelled' }] });
    expect((error as Error).message).toContain(`to ${destination}: cancelled (destination_deleted: `);
  });

  it('fails when the time is up, and says so when the event has no delivery', async () => {
    const { id } = await waybill.botUsers.create({ name: 'unheard' });
    let eventId = '';
    for await (const event of waybill.events.list({ type: ['bot_user_created.v0'], limit: 1 })) {
      eventId = event.id;
      break;
    }
    const failure = waybill.waitForDelivery(eventId, { timeoutMs: 300 });
    await expect(failure).rejects.toThrow(WaybillDeliveryTimeoutError);
    await expect(failure).rejects.toMatchObject({ eventId, deliveries: [] });
    await expect(failure).rejects.toThrow(`Event ${eventId} has no delivery after 300 ms.`);
    expect(id).toMatch(/^bot_/);
  });

  it('ends with the reason of its signal', async () => {
    const reason = new Error('stopped');
    await waybill.botUsers.create({ name: 'unheard' });
    const control = new AbortController();
    const waiting = waybill.waitForDelivery('evt_01kgxf4n8yf3aak1w9pc6tjv0e', { signal: control.signal });
    control.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});
