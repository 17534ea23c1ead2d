import { expect, test } from 'vitest';
import type { EventEnvelope } from '../../envelope/event-envelope.js';
import { FilterError } from './filter-error.js';
import { compileFilter, compileSavedFilter } from './filter.js';

const event: EventEnvelope = {
  event_id: 'evt_1',
  event_type: 'ip_policy_rule_updated.v0',
  event_timestamp: '2026-11-20T10:00:00.000Z',
  account_id: 'acc_1',
  resource_id: 'ippr_1',
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
  ['resource_id in ["ippr_1", "ippr_2"]', true],
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
  expect(compileFilter(expression).evaluate(event)).toStrictEqual({ matches: expected, error: null, reason: null });
});

test.each([
  ['object.missing == 1', /missing/],
  ['object.action', /not a boolean/],
  ['object.port.startsWith("4")', /overload/],
  ['principal.credential.id == "key_1"', /id/],
])('an event for which %s cannot be evaluated matches, with the error', (expression, error) => {
  const result = compileFilter(expression).evaluate(event);
  expect([result.matches, result.reason]).toEqual([true, 'failed']);
  expect(result.error).toMatch(error);
});

test('an event without optional members has null for them', () => {
  const { changes: _, ...created } = event;
  const asked = ['has(repaired.by)', 'occurred_at != null', 'changes != null && has(changes.after.cidr)'];
  expect(asked.map((expression) => compileFilter(expression).evaluate(created))).toStrictEqual(
    asked.map(() => ({ matches: false, error: null, reason: null })),
  );
});

test('an event whose changed values were left out matches a filter on changes', () => {
  const shortened = { ...event, changes: { before: {}, after: {}, omitted: ['action'] } };
  const filter = compileFilter('has(changes.after.cidr)');
  expect(filter.evaluate(event)).toStrictEqual({ matches: false, error: null, reason: null });
  expect(filter.evaluate(shortened)).toMatchObject({ matches: true, reason: 'changes_omitted' });
  expect(compileFilter('object.action == "allow"').evaluate(shortened).matches).toBe(false);
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
  expect(refusal('object.a.exists(x, x.matches("^[a-z]+[.]example[.]com$"))').reason).toMatch(/costs too much/);
  expect(refusal('object.a.all(x, object.b.all(y, y.contains("a")))').reason).toMatch(/costs too much/);
});

test('an event whose lists make a filter too expensive matches without an evaluation', () => {
  const filter = compileFilter('object.list.all(a, object.list.all(b, a < b + 1.0))');
  const listed = (length: number) => ({ ...event, object: { list: Array.from({ length }, () => 0.5) } });
  expect(filter.evaluate(listed(3))).toStrictEqual({ matches: true, error: null, reason: null });
  expect(filter.evaluate(listed(5_000))).toMatchObject({
    matches: true,
    reason: 'event_cost',
    error: expect.stringMatching(/costs too much/),
  });
});

/** An event with another object. */
function eventOf(object: unknown): EventEnvelope {
  return JSON.parse(JSON.stringify({ ...event, object }));
}

const zeros = (count: number) => Array.from({ length: count }, () => 0);

test('lists and texts can be joined', () => {
  const joined = eventOf({ a: ['x'], b: ['y'], first: 'Anna', last: 'Berg' });
  for (const filter of [
    '(object.a + object.b).exists(item, item == "y")',
    'size(object.a + object.b) == 2',
    'object.first + " " + object.last == "Anna Berg"',
    '[object.first, object.last].exists(name, name.startsWith("B"))',
  ]) {
    expect(compileFilter(filter).evaluate(joined)).toMatchObject({ matches: true, error: null });
  }
});

test.each([
  ['of joined lists', (list: string) => `(${list}).all(a, (${list}).all(b, a <= b))`],
  ['of a joined list that is the item of another', (list: string) => `[${list}].all(x, x.all(a, x.all(b, a <= b)))`],
  ['of parts of joined lists', (list: string) => `(${list}).filter(a, true).all(a, (${list}).all(b, a <= b))`],
])('macros %s cost as much as the lists are long', (_, filterOf) => {
  const joined = (count: number) => filterOf(Array.from({ length: count }, () => 'object.l').join('+'));
  const stepsOf = (count: number) => compileSavedFilter(joined(count)).steps(eventOf({ l: zeros(3) }));
  expect(stepsOf(2)).toBeGreaterThan(3.5 * stepsOf(1));
  expect(refusal(joined(35)).reason).toMatch(/costs too much/);
  // It may have been saved by an earlier version.
  expect(compileSavedFilter(joined(35)).evaluate(eventOf({ l: zeros(200) })).error).toMatch(/costs too much/);
});

test('a text that is joined from others costs as much as it is long', () => {
  const text = Array.from({ length: 30 }, () => 'object.t').join('+');
  const filter = compileSavedFilter(`object.l.all(a, !(${text}).contains("aab"))`);
  const small = compileSavedFilter('object.l.all(a, !object.t.contains("aab"))');
  const long = eventOf({ l: zeros(10), t: 'a'.repeat(20_000) });
  expect(small.evaluate(long)).toMatchObject({ matches: true, error: null });
  expect(filter.evaluate(long).error).toMatch(/costs too much/);
});

test.each(['5', '"x"', 'null', '[]', 'object.x'])(
  'the search of %s in a list of the event costs each item',
  (sought) => {
    const filter = compileFilter(`object.l.filter(a, ${sought} in object.l).size() == 0`);
    const listed = (count: number) => eventOf({ l: zeros(count).map(() => 0.5), x: [] });
    expect(filter.steps(listed(200))).toBeGreaterThan(3.5 * filter.steps(listed(100)));
    expect(filter.evaluate(listed(100)).error).toBe(null);
    expect(filter.evaluate(listed(4_000)).error).toMatch(/costs too much/);
  },
);

test('the search in a list of literals costs the same for every event', () => {
  const filter = compileFilter('object.x in ["a", "b", "c"]');
  expect(filter.steps(eventOf({ l: zeros(1_000), x: 'a' }))).toBe(filter.steps(eventOf({ l: [], x: 'a' })));
});

test('a pattern costs its places for each character of the longest text that it may match', () => {
  const hard = 'object.t.matches("[ab]*a[ab]{20}c")';
  const text = eventOf({ t: 'ab'.repeat(2_048) });
  expect(compileFilter(hard).evaluate(text)).toMatchObject({ matches: false, error: null });
  expect(refusal(Array.from({ length: 20 }, () => hard).join(' || ')).reason).toMatch(/costs too much/);
  const stepsOf = (pattern: string, of: EventEnvelope) => compileFilter(`object.t.matches("${pattern}")`).steps(of);
  expect(stepsOf('[ab]*a[ab]{20}c', text)).toBeGreaterThan(6 * stepsOf('^a[ab]{20}c$', text));
  expect(stepsOf('[ab]*a[ab]{20}c', eventOf({ t: 'ab'.repeat(20_000) }))).toBe(stepsOf('[ab]*a[ab]{20}c', text));
  const short = eventOf({ t: 'ab', other: Array.from({ length: 500 }, () => 'ab') });
  expect(stepsOf('[ab]*a[ab]{20}c', short)).toBeLessThan(1_000);
  const joined = compileFilter('(object.t + object.t).matches("^[a-z]+$")');
  expect(joined.steps(short)).toBeGreaterThan(2_000);
  // The longest pattern is accepted, and matched with all but the longest texts.
  const longest = compileFilter('object.t.matches("a{100}")');
  expect(longest.evaluate(eventOf({ t: 'ab'.repeat(1_500) })).error).toBe(null);
});

test('the lists of a filter count, where they are longer than those of an event', () => {
  const list = `[${zeros(60).join(',')}]`;
  const filter = compileSavedFilter(`${list}.all(a, ${list}.all(b, a <= b))`);
  expect(filter.steps(eventOf({}))).toBeGreaterThan(60 * 60);
});

test('an evaluation that fails for each of many items counts the errors', () => {
  const filter = compileFilter('object.l.all(item, item.name == "x")');
  expect(filter.evaluate(eventOf({ l: zeros(100) })).error).not.toBe(null);
  expect(filter.evaluate(eventOf({ l: zeros(20_000) })).error).toMatch(/costs too much/);
});

test('to count the characters of a long text for each of many items costs too much', () => {
  const filter = compileFilter('object.l.all(item, size(object.t) > 0)');
  expect(filter.evaluate(eventOf({ l: zeros(10), t: 'x'.repeat(30_000) }))).toMatchObject({
    matches: true,
    error: null,
  });
  expect(filter.evaluate(eventOf({ l: zeros(1_000), t: 'x'.repeat(30_000) })).error).toMatch(/costs too much/);
});

test('an event that a filter is not evaluated for takes one step', () => {
  const filter = compileFilter('object.list.all(a, object.list.all(b, a <= b))');
  expect(filter.steps(eventOf({ list: zeros(10) }))).toBeGreaterThan(100);
  expect(filter.steps(eventOf({ list: zeros(5_000) }))).toBe(1);
  const shortened = { ...event, changes: { before: {}, after: {}, omitted: ['action'] } };
  expect(compileFilter('has(changes.after.cidr)').steps(shortened)).toBe(1);
});

test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__', 'prototype', 'size', 'get'])(
  'a member %s of an object changes nothing',
  (name) => {
    const object = JSON.parse(`{"region":"us","${name}":"x","below":{"${name}":{"${name}":1},"list":[{"${name}":2}]}}`);
    for (const [filter, expected] of [
      ['object.region == "us"', true],
      ['object.region == "eu"', false],
      ['has(object.below.list) && has(object.missing)', false],
      ['object == object && object.below != object', true],
      ['size(object.below) == 2', true],
      [`"${name}" in object && !("${name}" in changes.before)`, true],
      ['object.below.list.exists(item, item == 2)', false],
      [`object.exists(key, key == "${name}")`, true],
    ] as const) {
      expect([filter, compileFilter(filter).evaluate(eventOf(object))]).toMatchObject([
        filter,
        { matches: expected, error: null },
      ]);
    }
  },
);

test('the members of an object are listed once for all its comparisons', () => {
  let listed = 0;
  const members = Object.fromEntries(zeros(1_000).map((value, index) => [`k${index}`, value]));
  const counted = new Proxy(members, {
    ownKeys: (target) => {
      listed += 1;
      return Reflect.ownKeys(target);
    },
  });
  const filter = compileFilter('object.m.all(key, object.m != 0)');
  expect(filter.evaluate({ ...event, object: { m: counted } })).toMatchObject({ matches: true, error: null });
  expect(listed).toBe(1);
});

test('the errors of an evaluation have no stack, and those after it do', () => {
  const { stackTraceLimit } = Error;
  const limits: number[] = [];
  let present = stackTraceLimit;
  Object.defineProperty(Error, 'stackTraceLimit', {
    configurable: true,
    get: () => present,
    set: (limit: number) => {
      limits.push(limit);
      present = limit;
    },
  });
  try {
    compileFilter('object.l.all(item, item.name == "x")').evaluate(eventOf({ l: zeros(3) }));
  } finally {
    Object.defineProperty(Error, 'stackTraceLimit', { configurable: true, writable: true, value: stackTraceLimit });
  }
  expect(limits).toEqual([0, stackTraceLimit]);
});

test('the shape of an object is no type: the library keeps every type that it has seen', () => {
  const shaped = eventOf({ deep: { a: [{ b: { c: 1 } }] }, list: [[{ d: 1 }]] });
  expect(compileFilter('object.deep + 1 == 2').evaluate(shaped).error).toContain('map<dyn, dyn>');
  expect(compileFilter('object.list + 1 == 2').evaluate(shaped).error).toContain('list<list<map<dyn, dyn>>>');
  for (const equal of [
    'object.deep == object.deep',
    'object.list == object.list',
    'object.deep != object.list[0][0]',
  ]) {
    expect([equal, compileFilter(equal).evaluate(shaped)]).toMatchObject([equal, { matches: true, error: null }]);
  }
});
