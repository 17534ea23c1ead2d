import { expect, test } from 'vitest';
import type { EventEnvelope } from '../event-envelope.js';
import { FilterError } from './filter-error.js';
import { compileFilter } from './filter.js';

const event: EventEnvelope = {
  event_id: 'evt_1',
  event_type: 'ip_policy_rule_updated.v0',
  event_timestamp: '2026-11-20T10:00:00.000Z',
  account_id: 'acc_1',
  principal: { id: 'usr_1', subject: 'Anna', credential: null },
  version: 2,
  object: { cidr: '10.0.0.0/8', action: 'deny', port: 443, labels: ['a', 'b'], nested: [{ name: 'x' }, { name: 'y' }] },
  changes: { before: { action: 'allow' }, after: { action: 'deny' } },
  request: { operation_id: 'op_1', ip: '192.0.2.1', user_agent: null },
};

function refusal(expression: string): FilterError {
  try {
    compileFilter(expression);
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
  throw new Error(`The filter was accepted: ${expression}`);
}

test.each([
  ['object.action == "deny"', true],
  ['object.action == "allow"', false],
  ['object.action in ["deny", "drop"] && version > 1', true],
  ['object.port == 443', true],
  ['object.port in [80, 8080]', false],
  ['has(changes.after.action) && changes.before.action != changes.after.action', true],
  ['has(changes.after.cidr)', false],
  ['object.cidr.startsWith("10.")', true],
  ['object.cidr.contains("0.0/8")', true],
  ['object.cidr.matches("^10(\\\\.0){3}/[0-9]+$")', true],
  ['principal.subject.lowerAscii() == "anna"', true],
  ['principal.credential == null', true],
  ['object.labels.exists(label, label == "b")', true],
  ['object.nested.all(item, item.name == "x")', false],
  ['object.nested.filter(item, item.name == "x").size() == 1', true],
  ['timestamp(event_timestamp).getHours() == 10', true],
  ['"missing" in object', false],
])('the filter %s is evaluated: %s', (expression, expected) => {
  expect(compileFilter(expression).evaluate(event)).toStrictEqual({ matches: expected, error: null });
});

test.each([
  ['object.missing == 1', /missing/],
  ['object.action', /not a boolean/],
  ['object.port.startsWith("4")', /overload/],
  ['principal.credential.id == "key_1"', /id/],
])('an event for which %s cannot be evaluated matches, with the error', (expression, error) => {
  const result = compileFilter(expression).evaluate(event);
  expect(result.matches).toBe(true);
  expect(result.error).toMatch(error);
});

test('an event whose changed values were left out matches a filter on changes', () => {
  const shortened = { ...event, changes: { before: {}, after: {}, omitted: ['action'] } };
  const filter = compileFilter('has(changes.after.cidr)');
  expect(filter.evaluate(event)).toStrictEqual({ matches: false, error: null });
  expect(filter.matches(shortened)).toBe(true);
  expect(compileFilter('object.action == "allow"').matches(shortened)).toBe(false);
});

test.each([
  ['object.action = "deny"', 1, 15],
  ['object.action ==\n  objct.other', 2, 3],
  ['true &&\n\n  object.list.map(x, x)', 3, 3],
  ['size(object.action)', 1, 1],
  ['object.cidr.matches("(?=a)")', 1, 1],
  ['object.a.matches(object.b)', 1, 1],
  ['cel.bind(x, object, x.a == 1)', 1, 1],
  ['string(object.a).split(",").size() > 1', 1, 1],
  ['duration(object.a) > duration("1s")', 1, 1],
  ['', 1, 1],
  ['sequence > 3', 1, 1],
])('the filter %j is refused at its error', (expression, line, column) => {
  expect(refusal(expression).position).toMatchObject({ line, column });
});

test('the position counts characters, not UTF-16 units', () => {
  const { position } = refusal('"😀😀" == "x" && objct.a == 1');
  expect(position).toStrictEqual({ offset: 15, line: 1, column: 16 });
});

test('a filter of more than 1,000 characters is refused', () => {
  expect(refusal(`object.a == "${'x'.repeat(1_000)}"`).reason).toMatch(/1000 characters/);
});

test('a filter that costs too much is refused', () => {
  const nested = 'object.a.all(a, object.b.all(b, object.c.all(c, a.x == b.x && b.x == c.x && a.y == c.y)))';
  expect(refusal(nested).reason).toMatch(/costs too much/);
  expect(refusal('object.a.exists(x, x.matches("^a+$"))').reason).toMatch(/costs too much/);
  expect(refusal('object.a.all(x, object.b.all(y, y.contains("a")))').reason).toMatch(/costs too much/);
});

test('an event whose lists make a filter too expensive matches without an evaluation', () => {
  const filter = compileFilter('object.list.all(a, object.list.all(b, a < b + 1.0))');
  const listed = (length: number) => ({ ...event, object: { list: Array.from({ length }, () => 0.5) } });
  expect(filter.evaluate(listed(3))).toStrictEqual({ matches: true, error: null });
  expect(filter.evaluate(listed(5_000))).toMatchObject({
    matches: true,
    error: expect.stringMatching(/costs too much/),
  });
});
