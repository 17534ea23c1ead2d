import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, TestClient } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';

describe('an event as it is delivered', () => {
  let ground: DeliveringApi;
  let admin: TestClient;
  beforeAll(async () => {
    ground = await DeliveringApi.start();
    admin = await ground.api.addAccount();
  });
  afterAll(() => ground.close());

  const pathOf = ({ event_id: event, id }: { event_id: string; id: string }) =>
    `/events/${event}/deliveries/${id}/payload`;

  it('is what arrived, byte for byte, with its number and its proof', async () => {
    const { path, arn } = await ground.destination(admin);
    await ground.publish(3, admin);
    const delivered = await ground.ended(path, 'delivered', 3, admin);
    const responses = await Promise.all(delivered.map((one) => admin.get(pathOf(one))));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(responses[0]?.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(responses.map(({ text }) => text).toSorted()).toEqual(ground.arrivals(arn).toSorted());
    expect(JSON.parse(responses[0]?.text ?? '')).toMatchObject({ sequence: 3, integrity: { index: 2 } });
  });

  it('is what the fields of a source leave', async () => {
    const { id, path, arn } = await ground.destination(admin);
    const { event_subscriptions: subscriptions } = (await admin.get('/event_subscriptions?limit=1')).body;
    const [subscription] = subscriptions as readonly { id: string; destinations: readonly { id: string }[] }[];
    expect(subscription?.destinations.map((one) => one.id)).toEqual([id]);
    const source = `/event_subscriptions/${subscription?.id}/sources/ip_policy_created.v0`;
    expect((await admin.patch(source, { fields: { exclude: ['/principal'] } })).status).toBe(200);
    await ground.publish(1, admin);
    const [delivery] = await ground.ended(path, 'delivered', 1, admin);
    const { text } = await admin.get(pathOf(delivery as { event_id: string; id: string }));
    expect([text]).toEqual(ground.arrivals(arn));
    expect((JSON.parse(text) as JsonObject).principal).toBeUndefined();
  });

  it('does not exist before it has a number, for another event, delivery or account', async () => {
    const { path } = await ground.destination(admin);
    await admin.patch(path, { paused: { reason: 'test' } });
    await ground.publish(1, admin);
    const [waiting] = (await ground.deliveries(path, '', admin)) as readonly { event_id: string; id: string }[];
    if (!waiting) throw new Error('No delivery waits.');
    const missing = await admin.get(pathOf(waiting));
    expect([missing.status, missing.body.detail]).toEqual([404, expect.stringContaining('has no number')]);
    await admin.patch(path, { paused: null });
    await ground.ended(path, 'delivered', 1, admin);
    expect((await admin.get(pathOf(waiting))).status).toBe(200);
    for (const other of [pathOf({ ...waiting, id: 'dlv_0' }), pathOf({ ...waiting, id: 'x' })])
      expect((await admin.get(other)).status).toBe(404);
    expect((await ground.api.admin.get(pathOf(waiting))).status).toBe(404);
  });
});
