import { expect, test } from 'vitest';
import type { EventRule } from './event-rule.js';
import { filterBudget, judged } from './judged-event.js';
import type { UnevaluatedFilter } from './unevaluated-filters.js';

const payload = JSON.stringify({ event_type: 'order_created.v0', object: { total: 5 } });

function rule(subscriptionId: string, filter: string | null, fields: EventRule['fields'] = null): EventRule {
  return { eventType: 'order_created.v0', subscriptionId, filter, fields };
}

test('a subscription refuses the events that its filter does not match', async () => {
  const rules = [rule('a', 'object.total > 3'), rule('b', 'object.total > 7'), rule('c', null)];
  expect(await judged(payload, rules)).toEqual({ refusing: ['b'], projecting: [] });
});

test('fields apply only where the filter matches', async () => {
  const fields = { exclude: ['/request'] };
  const rules = [rule('a', 'object.total > 3', fields), rule('b', 'object.total > 7', fields), rule('c', null, fields)];
  expect((await judged(payload, rules)).projecting.map(({ subscriptionId }) => subscriptionId)).toEqual(['a', 'c']);
});

test('an event for which a filter cannot be evaluated is not refused', async () => {
  expect(await judged(payload, [rule('a', 'object.missing == 1')])).toEqual({ refusing: [], projecting: [] });
});

test('a stored filter that this version does not accept refuses nothing', async () => {
  expect(await judged(payload, [rule('a', 'object.total >')])).toEqual({ refusing: [], projecting: [] });
});

test('filters that are left when the steps are used up refuse nothing', async () => {
  const rules = Array.from({ length: 10 }, (_, index) => rule(`${index}`, `object.total > ${index + 10}`));
  expect((await judged(payload, rules, filterBudget(13))).refusing).toHaveLength(2);
  expect((await judged(payload, rules)).refusing).toHaveLength(10);
});

test('a pattern is matched with each event of a batch of the largest number', async () => {
  const rules = [rule('a', 'object.host.matches("^[a-z]+[.]example[.]com$")')];
  const budget = filterBudget();
  const host = 'x'.repeat(1_024);
  for (let number = 0; number < 500; number += 1) {
    const event = JSON.stringify({ event_type: 'order_created.v0', object: { number, host } });
    expect((await judged(event, rules, budget)).refusing).toEqual(['a']);
  }
});

test('others are served between two filters', async () => {
  let pauses = 0;
  const stretch = { pause: async () => void (pauses += 1) };
  const rules = Array.from({ length: 10 }, (_, index) => rule(`${index}`, `object.total > ${index}`));
  await judged(payload, rules, { left: 1_000, stretch });
  expect(pauses).toBe(10);
});

test('equal filters of several subscriptions are evaluated once', async () => {
  const budget = filterBudget();
  const before = budget.left;
  await judged(payload, [rule('a', 'object.total > 3')], budget);
  const once = before - budget.left;
  await judged(payload, [rule('a', 'object.total > 3'), rule('b', 'object.total > 3')], budget);
  expect(before - budget.left).toBe(2 * once);
});

test('a filter that costs too much for an event leaves the steps to the others', async () => {
  const list = Array.from({ length: 5_000 }, () => 0);
  const large = JSON.stringify({ event_type: 'order_created.v0', object: { total: 5, list } });
  const expensive = rule('expensive', 'object.list.all(a, object.list.all(b, a <= b))');
  const others = Array.from({ length: 10 }, (_, index) => rule(`${index}`, `object.total > ${index + 10}`));
  expect(await judged(large, [expensive, ...others])).toMatchObject({
    refusing: others.map((one) => one.subscriptionId),
  });
});

test('a saved filter that costs more than one may now is evaluated for the events that it is not too expensive for', async () => {
  const list = Array.from({ length: 20 }, () => 'object.list').join('+');
  const rules = [rule('a', `(${list}).exists(a, (${list}).exists(b, a > b))`)];
  const payloadOf = (count: number) =>
    JSON.stringify({ event_type: 'order_created.v0', object: { list: Array.from({ length: count }, () => 0) } });
  expect((await judged(payloadOf(1), rules)).refusing).toEqual(['a']);
  expect((await judged(payloadOf(200), rules)).refusing).toEqual([]);
});

test('each filter that cannot be evaluated is reported once, with the reason and the first of its subscriptions', async () => {
  const reported: UnevaluatedFilter[] = [];
  const report = (filter: UnevaluatedFilter) => void reported.push(filter);
  const missing = 'object.missing == 1';
  const rules = [rule('a', missing), rule('b', missing), rule('c', 'object.total >'), rule('d', 'object.total > 3')];
  await judged(JSON.stringify({ ...JSON.parse(payload), event_id: 'evt_1' }), rules, filterBudget(), report);
  const event = { eventId: 'evt_1', eventType: 'order_created.v0' };
  expect(reported).toEqual([
    { ...event, reason: 'failed', of: { subscription: 'a' } },
    { ...event, reason: 'refused', of: { subscription: 'c' } },
  ]);
  await judged(payload, [rule('e', 'object.total > 3')], filterBudget(0), report);
  expect(reported.at(-1)).toMatchObject({ reason: 'transaction_cost', of: { subscription: 'e' } });
});
