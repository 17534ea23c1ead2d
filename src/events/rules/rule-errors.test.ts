import { expect, test } from 'vitest';
import { ruleErrors } from './rule-errors.js';

const text = { type: 'string' };
const payload = {
  type: 'object',
  properties: {
    event_id: text,
    event_type: { const: 'order_updated.v0' },
    principal: {
      type: 'object',
      properties: { id: text, credential: { anyOf: [{ $ref: '#/$defs/Key' }, { type: 'null' }] } },
      additionalProperties: false,
    },
    version: { type: 'integer' },
    object: { $ref: '#/$defs/Order' },
    changes: { type: 'object', properties: { after: { $ref: '#/$defs/Order' } }, additionalProperties: false },
    sequence: { type: 'integer' },
  },
  $defs: {
    Key: { type: 'object', properties: { id: text }, additionalProperties: false },
    Order: {
      type: 'object',
      properties: {
        total: { type: 'number' },
        note: { type: ['string', 'null'] },
        state: { enum: ['open', 'paid'] },
        paid: { type: 'boolean' },
        lines: { type: 'array', items: { type: 'object', properties: { sku: text, count: { type: 'integer' } } } },
        labels: { type: 'object', additionalProperties: text },
        next: { $ref: '#/$defs/Order' },
      },
      additionalProperties: false,
    },
  },
};

function errorsOf(filter: string) {
  return ruleErrors({ filter, fields: null }, { payload });
}

test.each([
  'object.total > 3 && object.total == 5',
  'object.total in [1, 2]',
  'object.state == "paid" && object.paid',
  'object.note == null || object.note.startsWith("x")',
  'principal.credential == null || principal.credential.id == "key_1"',
  'object.lines.exists(line, line.sku == "a" && line.count >= 2)',
  'object.labels.team == "x"',
  'object.next.next.total == 1',
  'has(changes.after.note) && changes.after.note != "x"',
  'dyn(object).unknown == 1',
  'event_type == "order_updated.v0" && version == 1',
])('the filter %s fits the type', (filter) => {
  expect(errorsOf(filter)).toEqual([]);
});

test.each([
  ['object.totl > 3', /^line 1, column \d+: .*totl/],
  ['true ||\n  object.lines.exists(line, line.skuu == "a")', /^line 2, column \d+: .*skuu/],
  ['object.state == 3', /^line 1, column \d+: .*string == int/],
  ['object.paid == "yes"', /bool == string/],
  ['object.total.startsWith("1")', /startsWith/],
  ['has(changes.after.noot)', /no member noot/],
  ['object.lines.exists(line, has(object.noot))', /no member noot/],
  ['object.total', /a condition/],
  ['object.total + 1', /^line 1/],
  ['sequence > 3', /sequence/],
  ['object.state ==', /^line 1, column/],
])('the filter %s is refused at its position', (filter, detail) => {
  expect(errorsOf(filter)).toMatchObject([{ pointer: '/filter', detail: expect.stringMatching(detail) }]);
});

test('a pointer that leads to no member, or to one that is always sent, is refused', () => {
  const fields = {
    exclude: ['/object/note', '/object/nte', '/version'],
    hash: ['/principal/id', '/object/lines/*/sku', 'x'],
  };
  expect(ruleErrors({ filter: null, fields }, { payload })).toMatchObject([
    { pointer: '/fields/exclude/1', detail: expect.stringContaining('schema describes') },
    { pointer: '/fields/exclude/2', detail: expect.stringContaining('always sent') },
    { pointer: '/fields/hash/2' },
  ]);
});

test('a pointer for every member of the payload is refused: some are always sent', () => {
  const fields = { include: ['/*'], exclude: ['/*/note'], hash: ['/object/*'] };
  expect(ruleErrors({ filter: null, fields }, { payload })).toMatchObject([
    { pointer: '/fields/include/0', detail: expect.stringContaining('name of a member') },
    { pointer: '/fields/exclude/0', detail: expect.stringContaining('name of a member') },
  ]);
});

test('pointers into the object of a resource type follow its own schema', () => {
  const registeredObject = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/A' } },
    additionalProperties: false,
    $defs: { A: text },
  };
  const fields = { exclude: ['/object/a', '/object/b'] };
  expect(ruleErrors({ filter: null, fields }, { payload, registeredObject })).toMatchObject([
    { pointer: '/fields/exclude/1' },
  ]);
  expect(ruleErrors({ filter: null, fields }, { payload, registeredObject: null })).toEqual([]);
});

const small = {
  type: 'object',
  properties: {
    flag: { type: 'boolean' },
    flagOrNull: { type: ['boolean', 'null'] },
    state: { enum: ['open', 'paid', null] },
    one: { const: 'x' },
    pin: { type: 'integer', minimum: 0, maximum: 9999 },
    either: { anyOf: [{ type: 'boolean' }, { type: 'integer', exclusiveMinimum: 0, maximum: 9 }] },
    both: { allOf: [{ type: ['string', 'boolean'] }, { $ref: '#/$defs/State' }] },
    days: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 31 } },
    text: { type: 'string', maxLength: 4 },
    count: { type: 'integer', minimum: 0 },
    wide: { type: 'integer', minimum: 0, maximum: 999_999_999 },
    open: { anyOf: [{ type: 'boolean' }, { type: 'string' }] },
    number: { type: 'number', minimum: 0, maximum: 1 },
  },
  $defs: { State: { enum: ['open', 'paid'] } },
};

test.each(['flag', 'flagOrNull', 'state', 'one', 'pin', 'either', 'both', 'days/*', 'days/0'])(
  'the few values of %s may be excluded, and not hashed',
  (name) => {
    const pointer = `/object/${name}`;
    for (const schema of [
      { payload: { type: 'object', properties: { object: small }, $defs: small.$defs } },
      { payload, registeredObject: small },
    ]) {
      expect(ruleErrors({ filter: null, fields: { hash: [pointer] } }, schema)).toEqual([
        { pointer: '/fields/hash/0', detail: expect.stringMatching(/^has only \d+ values/) as string },
      ]);
      expect(ruleErrors({ filter: null, fields: { exclude: [pointer], include: [pointer] } }, schema)).toEqual([]);
    }
  },
);

test.each(['text', 'count', 'wide', 'open', 'number', 'days'])('the many values of %s may be hashed', (name) => {
  const fields = { hash: [`/object/${name}`] };
  expect(ruleErrors({ filter: null, fields }, { payload, registeredObject: small })).toEqual([]);
});
