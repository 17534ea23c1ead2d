import { isBuiltInEvent, Waybill, type DeliveredEvent, type EventPayload } from '@waybill/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventCatalogue } from '../../src/resources/event-types.js';
import { DeliveringApi } from '../support/delivering-api.js';
import { describeDelivered, describeEvent, mistakes } from './events-by-type.js';

let delivering: DeliveringApi;
let waybill: Waybill;
beforeAll(async () => {
  delivering = await DeliveringApi.start();
  waybill = new Waybill({ url: delivering.api.baseUrl, key: delivering.api.admin.token ?? '' });
});
afterAll(() => delivering.close());

async function latest(count: number): Promise<readonly EventPayload[]> {
  const { events } = await waybill.events.list({ limit: count }).page();
  return events.flatMap(({ payload }) => payload ?? []).toReversed();
}

describe('events by their type', () => {
  it('have the object and the changes that their types say', async () => {
    const policy = await waybill.ipPolicies.create({ description: 'office' });
    await waybill.ipPolicies.update(policy.id, { description: 'second floor' });
    const bot = await waybill.botUsers.create({ name: 'robot' });
    await waybill.botUsers.delete(bot.id);
    const events = await latest(4);
    const who = events[0]?.principal.subject ?? '';
    expect(events.map(describeEvent)).toEqual([
      `${who} created the policy office`,
      `${who} changed office to second floor, 0 omitted`,
      `${who}: bot_user_created.v0 ${bot.id}`,
      `${who} deleted robot, active: true`,
    ]);
  });

  it('of the account itself are told apart from built-in ones', async () => {
    await waybill.resourceTypes.create({ name: 'order', changes: 'computed' });
    const order = { resource_id: 'order-1', principal: { id: 'user-7', subject: 'Ada' }, object: { status: 'open' } };
    await waybill.events.publish([{ type: 'order_created.v0', ...order }]);
    const [created, published] = await latest(2);
    if (!created || !published) throw new Error('There are no events.');
    expect([isBuiltInEvent(created), isBuiltInEvent(published)]).toEqual([true, false]);
    expect(describeEvent(published)).toBe('Ada: order_created.v0 {"status":"open"}');
    expect(mistakes(published)).toEqual(['open', undefined]);
  });

  it('have a number when they are delivered', async () => {
    const { path, arn } = await delivering.destination();
    await delivering.publish(1);
    await delivering.ended(path, 'delivered', 1);
    const [line = ''] = delivering.arrivals(arn);
    const event = JSON.parse(line) as DeliveredEvent;
    expect(describeDelivered(event)).toBe(`${event.epoch}/1 ${describeEvent(event)}`);
  });
});

it('isBuiltInEvent knows the event types of the catalogue, and no others', () => {
  const types = eventCatalogue.all().map(({ type }) => type);
  expect(types.length).toBeGreaterThan(80);
  expect(types.filter((event_type) => !isBuiltInEvent({ event_type }))).toEqual([]);
  const others = ['order_created.v0', 'ip_policy_created.v1', 'ip_policy_created', 'constructor', ''];
  expect(others.filter((event_type) => isBuiltInEvent({ event_type }))).toEqual([]);
});
