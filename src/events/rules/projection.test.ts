import { createHmac } from 'node:crypto';
import { array, assert, constant, constantFrom, dictionary, integer, letrec, oneof, property } from 'fast-check';
import { expect, test } from 'vitest';
import { derivedSalt } from '../../accounts/derived-salt.js';
import type { EventFields } from '../../database/tables.js';
import { hashingSubscription, Projector, type FieldsRule } from './projection.js';

const salt = Buffer.alloc(32, 7);
const event = {
  event_id: 'evt_1',
  event_type: 'order_updated.v0',
  event_timestamp: '2026-11-20T10:00:00.000Z',
  account_id: 'acc_1',
  resource_id: 'order-1',
  principal: { id: 'usr_1', subject: 'Anna', credential: null },
  version: 2,
  object: {
    total: 5,
    card: { number: '4111', name: 'Anna' },
    lines: [
      { sku: 'a', note: 'x' },
      { sku: 'b', note: 'y' },
    ],
  },
  changes: { before: { card: { number: '4000', name: 'Anna' } }, after: { card: { number: '4111', name: 'Anna' } } },
  request: { operation_id: 'op_1', ip: '192.0.2.1', user_agent: null },
};

function hash(text: string): string {
  return `hmac-sha256:${createHmac('sha256', derivedSalt(salt, 'sub_1')).update(text).digest('hex')}`;
}

/** The members of an event that are always sent. */
function fixedOf({ event_id, event_type, event_timestamp, account_id, version }: typeof event): object {
  return { event_id, event_type, event_timestamp, account_id, version };
}

type Fields = readonly EventFields[];

function ofSubscription(fields: EventFields): FieldsRule {
  return { subscriptionId: 'sub_1', fields };
}

function projected(...fields: Fields): unknown {
  return projectedOf(event.object, ...fields);
}

/** The event with another object, as it is stored. */
function projectedOf(object: unknown, ...fields: Fields): unknown {
  return JSON.parse(JSON.stringify(new Projector(salt).projected({ ...event, object }, fields.map(ofSubscription))));
}

test('the names of changed members whose values did not fit are sent with an include into the object', () => {
  const changes = { before: {}, after: {}, omitted: ['card', 'total'] };
  const changesWith = (fields: EventFields) =>
    new Projector(salt).projected({ ...event, changes }, [ofSubscription(fields)])['changes'];
  expect(changesWith({ include: ['/object/card/name'] })).toEqual(changes);
  expect(changesWith({ include: ['/object/card'], exclude: ['/changes/omitted'] })).toEqual({ before: {}, after: {} });
  expect(changesWith({ include: ['/resource_id'] })).toBeUndefined();
});

test('excluded members are absent, in the old and new values too', () => {
  expect(projected({ exclude: ['/object/card/number', '/request', '/object/lines/*/note'] })).toEqual({
    ...event,
    object: { total: 5, card: { name: 'Anna' }, lines: [{ sku: 'a' }, { sku: 'b' }] },
    changes: { before: { card: { name: 'Anna' } }, after: { card: { name: 'Anna' } } },
    request: undefined,
  });
});

test('without the object, its old and new values are absent too', () => {
  expect(projected({ exclude: ['/object'] })).toEqual({ ...event, object: undefined, changes: {} });
});

test('only included members are sent, with those that identify and order events', () => {
  expect(projected({ include: ['/object/total', '/object/card/name'] })).toEqual({
    event_id: 'evt_1',
    event_type: 'order_updated.v0',
    event_timestamp: '2026-11-20T10:00:00.000Z',
    account_id: 'acc_1',
    version: 2,
    object: { total: 5, card: { name: 'Anna' } },
    changes: { before: { card: { name: 'Anna' } }, after: { card: { name: 'Anna' } } },
  });
});

test('hashed values are equal where the values are, and null stays null', () => {
  const result = projected({
    hash: ['/object/card/name', '/principal/subject', '/principal/credential', '/object/total'],
  });
  const anna = hash('"Anna"');
  expect(result).toMatchObject({
    principal: { subject: anna, credential: null },
    object: { total: hash('5'), card: { number: '4111', name: anna } },
    changes: { before: { card: { name: anna } }, after: { card: { name: anna } } },
  });
});

test('of two sources, each hides what it hides from the whole', () => {
  const both = projected(
    { include: ['/object', '/principal'] },
    { exclude: ['/object/card'], hash: ['/principal/subject'] },
  );
  expect(both).toMatchObject({ object: { total: 5 }, principal: { subject: hash('"Anna"') } });
  expect(both).not.toHaveProperty('object.card');
  expect(both).not.toHaveProperty('request');
  expect(both).toEqual(
    projected({ exclude: ['/object/card'], hash: ['/principal/subject'] }, { include: ['/object', '/principal'] }),
  );
});

test('a pointer to an absent member changes nothing', () => {
  expect(projected({ exclude: ['/object/missing/x'], hash: ['/object/lines/7/sku'] })).toEqual(event);
});

test('the index of an item is its index in the event, whatever is left out before it', () => {
  const object = { tags: ['a', 'b', 'c'], lines: [{ email: 'one' }, { email: 'two' }, { email: 'three' }] };
  expect(projectedOf(object, { exclude: ['/object/tags/0', '/object/tags/1'] })).toMatchObject({
    object: { tags: ['c'] },
  });
  const lines = projectedOf(object, { exclude: ['/object/lines/0'], hash: ['/object/lines/1/email'] });
  expect(lines).toMatchObject({ object: { lines: [{ email: hash('"two"') }, { email: 'three' }] } });
  expect(projectedOf(object, { include: ['/object/tags/1', '/object/tags/2'], exclude: ['/object/tags/1'] })).toEqual({
    ...fixedOf(event),
    object: { tags: ['c'] },
    changes: { before: {}, after: {} },
  });
});

test('what a hash covers does not depend on the order of the pointers', () => {
  const whole = projected({ hash: ['/object/card', '/object/card/name'] });
  expect(whole).toMatchObject({ object: { card: hash('{"name":"Anna","number":"4111"}') } });
  expect(projected({ hash: ['/object/card/name', '/object/card'] })).toEqual(whole);
  expect(projected({ hash: ['/object/card'], exclude: ['/object/card/number'] })).toMatchObject({
    object: { card: hash('{"name":"Anna"}') },
  });
});

test('a hash has the salt of the oldest subscription that sends the event and hashes', () => {
  const rules = [
    { subscriptionId: 'sub_3', fields: { hash: ['/principal/subject'] } },
    { subscriptionId: 'sub_1', fields: { exclude: ['/request'] } },
    { subscriptionId: 'sub_2', fields: { hash: ['/object/card/name'] } },
  ];
  expect(hashingSubscription(rules)).toBe('sub_2');
  expect(hashingSubscription(rules.slice(0, 2))).toBe('sub_3');
  expect(hashingSubscription(rules.slice(1, 2))).toBeNull();
  const hashes = [rules, rules.slice(0, 1), rules.slice(2)].map(
    (some) => new Projector(salt).projected({ principal: 'Anna', object: { card: { name: 'Anna' } } }, some).object,
  );
  expect(hashes[0]).toEqual(hashes[2]);
  expect(hashes[0]).not.toEqual(hashes[1]);
});

test('no pointer changes the members that are always sent', () => {
  const pointers = ['/*', '/event_id', '/*/id', '/version', ...Object.keys(event).map((name) => `/${name}`)];
  for (const list of ['include', 'exclude', 'hash']) {
    for (const pointer of pointers) expect(projected({ [list]: [pointer] })).toMatchObject(fixedOf(event));
    expect(projected({ [list]: pointers })).toMatchObject(fixedOf(event));
  }
  expect(projected({ exclude: ['/*'] })).toEqual(fixedOf(event));
});

test('a pointer for every member applies to the old and new values of the object too', () => {
  expect(projected({ exclude: ['/*/card'] })).toMatchObject({ changes: { before: {}, after: {} } });
  expect(projected({ exclude: ['/*/card'] })).not.toHaveProperty('changes.before.card');
});

test('a value that cannot have what a pointer leads to is hidden as a whole', () => {
  const pointer = '/object/card/number';
  const list = [{ number: '4111' }];
  for (const [card, text] of [
    ['4000', '"4000"'],
    [list, '[{"number":"4111"}]'],
  ] as const) {
    expect(projectedOf({ card, total: 5 }, { exclude: [pointer] })).toMatchObject({ object: { total: 5 } });
    expect(projectedOf({ card }, { exclude: [pointer] })).toHaveProperty('object', {});
    expect(projectedOf({ card }, { hash: [pointer] })).toHaveProperty('object.card', hash(text));
    expect(projectedOf({ card }, { hash: [pointer] }, { exclude: ['/object/card/name'] })).toHaveProperty('object', {});
  }
  expect(projectedOf({ card: [1, 2] }, { hash: [pointer], exclude: ['/object/card/0'] })).toHaveProperty(
    'object.card',
    hash('[2]'),
  );
  expect(projectedOf({ card: null }, { exclude: [pointer], hash: [pointer] })).toHaveProperty('object.card', null);
  const changes = { before: { card: '4000' }, after: { card: list } };
  expect(new Projector(salt).projected({ changes }, [ofSubscription({ exclude: [pointer] })])).toEqual({
    changes: { before: {}, after: {} },
  });
});

/** What is left of a value without those at some paths, by its own definition: each value asks each path. */
function hidden(value: unknown, path: readonly string[], pointers: readonly (readonly string[])[]): unknown {
  const applies = (pointer: readonly string[]) =>
    pointer.length === path.length && pointer.every((part, index) => part === '*' || part === path[index]);
  if (pointers.some(applies)) return undefined;
  const namesBelow = pointers.flatMap((pointer) =>
    applies(pointer.slice(0, path.length)) ? [pointer[path.length]] : [],
  );
  if (Array.isArray(value)) {
    if (namesBelow.some((name) => name === 'a' || name === 'b')) return undefined;
    const items: readonly unknown[] = value;
    return items
      .map((item, index) => hidden(item, [...path, String(index)], pointers))
      .filter((item) => item !== undefined);
  }
  if (typeof value !== 'object' || value === null) return value === null || namesBelow.length === 0 ? value : undefined;
  const entries = Object.entries(value).map(
    ([name, inner]) => [name, hidden(inner, [...path, name], pointers)] as const,
  );
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

test('of any value, exactly what the pointers lead to is left out', () => {
  const name = constantFrom('a', 'b', '0', '1');
  const values = letrec((tie) => ({
    value: oneof({ maxDepth: 4 }, integer(), constant(null), tie('list'), tie('object')),
    list: array(tie('value'), { maxLength: 3 }),
    object: dictionary(name, tie('value'), { maxKeys: 3 }),
  })).value;
  const paths = array(array(oneof(name, constant('*')), { minLength: 1, maxLength: 4 }), { maxLength: 4 });
  assert(
    property(values, paths, (object, pointers) => {
      const exclude = pointers.map((path) => `/object/${path.join('/')}`);
      const rest = new Projector(salt).projected({ object }, [ofSubscription({ exclude })]);
      expect(rest.object).toEqual(hidden(object, [], pointers));
    }),
  );
});

test('a payload is walked once, whatever the number of pointers', () => {
  const list = Array.from({ length: 200 }, (_, index) => ({ a: index, b: { c: index } }));
  const visits = (count: number): number => {
    let read = 0;
    const counted = list.map((item) => ({
      ...item,
      get b() {
        read += 1;
        return item.b;
      },
    }));
    const exclude = Array.from(
      { length: count },
      (_, index) => `/object/${index % 2 === 0 ? '*' : 'list'}/*/b/c${index}`,
    );
    new Projector(salt).projected({ ...event, object: { list: counted } }, [
      ofSubscription({ exclude, hash: exclude }),
    ]);
    return read;
  };
  expect(visits(50)).toBe(visits(1));
});
