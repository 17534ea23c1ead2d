import { expect, it } from 'vitest';
import type { InputError } from '../../../problems/problem.js';
import { compileValidator } from './object-validator.js';
import { checkSchema } from './schema-errors.js';

/** `then` as a keyword; a literal object with it would look like a promise. */
// oxlint-disable-next-line unicorn/no-thenable
const thenRequired = (name: string) => Object.fromEntries([['then', { required: [name] }]]);

type Schema = Readonly<Record<string, unknown>>;

function schemaErrors(schema: Schema): readonly InputError[] {
  const checked = checkSchema(schema);
  return 'errors' in checked ? checked.errors : [];
}

const list = <T>(length: number, item: (index: number) => T): T[] => Array.from({ length }, (_, index) => item(index));
const text = { type: 'string' };
const object = (properties: Schema, more: Schema = {}): Schema => ({ type: 'object', properties, ...more });
const required = (names: readonly string[]): Schema => ({ type: 'object', required: names });
/** A schema that applies another one 40 times as often to the fixed member `a`. */
const references = (target: Schema, times = 22): Schema => ({
  $defs: { target, group: { allOf: list(times, () => ({ $ref: '#/$defs/target' })) } },
  ...object({ a: { allOf: list(40, () => ({ $ref: '#/$defs/group' })) } }),
});
const named = <T>(length: number, item: (index: number) => T) =>
  Object.fromEntries(list(length, (index) => [`p${index}`, item(index)]));

it.each<[name: string, schema: Schema]>([
  ['nothing', {}],
  [
    'common keywords',
    object(
      { total: { type: 'integer', minimum: 0, multipleOf: 5 }, note: { type: ['string', 'null'] } },
      { required: ['total'], additionalProperties: false },
    ),
  ],
  [
    'definitions and references',
    {
      $defs: { money: { type: 'integer' }, 'a/b': { type: 'string' } },
      ...object({
        a: { $ref: '#/$defs/money' },
        c: { $ref: '#/$defs/a~1b' },
        d: { $ref: '#/properties/a' },
      }),
    },
  ],
  [
    'combinations',
    {
      type: 'object',
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      if: { required: ['c'] },
      ...thenRequired('d'),
    },
  ],
  ['formats', object({ at: { type: 'string', format: 'date-time' }, mail: { type: 'string', format: 'email' } })],
  ['patterns', object({ id: { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' } })],
  ['unique scalars', object({ tags: { type: 'array', items: text, uniqueItems: true } })],
  ['members with the names of methods', object({ constructor: text, toString: text }, { required: ['constructor'] })],
  ['300 members', object(named(300, () => text))],
])('accepts a schema with %s', (_, schema) => {
  expect(schemaErrors(schema)).toEqual([]);
});

it.each<[name: string, schema: Schema, pointer: string, detail: RegExp]>([
  ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, '/$schema', /must be https/],
  ['a wrong form', { properties: [] }, '/properties', /must be object/],
  ['a wrong type', object({ a: { type: 'text' } }), '/properties/a/type', /must be/],
  ['an unknown keyword', object({ a: { type: 'string', colour: 'red' } }), '/properties/a/colour', /is not a keyword/],
  ['an id', { $id: 'https://example.com/a' }, '/$id', /is not a keyword/],
  ['a dynamic reference', { $dynamicRef: '#a' }, '/$dynamicRef', /is not a keyword/],
  ['a remote reference', object({ a: { $ref: 'https://example.com/a' } }), '/properties/a/$ref', /must refer to/],
  ['a reference to a file', { $ref: 'file:///etc/passwd' }, '/$ref', /must refer to/],
  ['a reference to nothing', { $ref: '#/$defs/none' }, '/$ref', /must refer to/],
  [
    'a reference to a value',
    object({ a: { enum: ['a'] }, b: { $ref: '#/properties/a/enum/0' } }),
    '/properties/b/$ref',
    /must refer to/,
  ],
  ['a reference into a prototype', { $ref: '#/constructor' }, '/$ref', /must refer to/],
  ['a reference with a broken escape', { $ref: '#/%zz' }, '/$ref', /must refer to/],
  ['an anchor', { $anchor: 'a' }, '/$anchor', /is not a keyword/],
  ['definitions below the root', object({ a: { $defs: {} } }), '/properties/a/$defs', /at the root/],
  ['recursion', object({ next: { $ref: '#' } }), '/properties/next/$ref', /must not lead back/],
  [
    'recursion through definitions',
    { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    '/$defs/b/$ref',
    /must not lead back/,
  ],
  ['look-around', object({ a: { type: 'string', pattern: '(?=a)b' } }), '/properties/a/pattern', /RE2/],
  ['a back-reference', object({ a: { type: 'string', pattern: '(a)\\1' } }), '/properties/a/pattern', /RE2/],
  ['flags in a pattern', object({ a: { type: 'string', pattern: '(?i)a' } }), '/properties/a/pattern', /RE2/],
  ['a broken pattern', object({ a: { type: 'string', pattern: '(' } }), '/properties/a/pattern', /RE2/],
  [
    'a long pattern',
    object({ a: { type: 'string', pattern: 'a'.repeat(251) } }),
    '/properties/a/pattern',
    /250 characters/,
  ],
  [
    'nested repetitions',
    object({ a: { type: 'string', pattern: '((a{30}){30}){30}' } }),
    '/properties/a/pattern',
    /expansion/,
  ],
  ['a broken pattern of names', { type: 'object', patternProperties: { '(': text } }, '/patternProperties/(', /RE2/],
  ['many patterns', object(named(51, () => ({ type: 'string', pattern: 'a' }))), '', /50 patterns/],
  [
    'an unknown format',
    object({ a: { type: 'string', format: 'regex' } }),
    '/properties/a/format',
    /must be one of date/,
  ],
  [
    'a format of a prototype',
    object({ a: { type: 'string', format: 'constructor' } }),
    '/properties/a/format',
    /must be one of/,
  ],
  ['a tiny divisor', object({ a: { type: 'number', multipleOf: 1e-300 } }), '/properties/a/multipleOf', /at least/],
  ['unique objects', object({ a: { type: 'array', uniqueItems: true } }), '/properties/a/uniqueItems', /needs `items`/],
  [
    'unique items of a referenced type',
    { $defs: { t: text }, ...object({ a: { type: 'array', items: { $ref: '#/$defs/t' }, uniqueItems: true } }) },
    '/properties/a/uniqueItems',
    /needs `items`/,
  ],
  ['a huge enum', object({ a: { enum: list(501, String) } }), '/properties/a/enum', /500 values/],
  ['an enum of objects', object({ a: { enum: [{}] } }), '/properties/a/enum', /text, numbers/],
  ['an empty enum', object({ a: { enum: [] } }), '/properties/a/enum', /at least one/],
  ['a const object', object({ a: { const: {} } }), '/properties/a/const', /must be text/],
  ['many alternatives', object({ a: { anyOf: list(51, () => text) } }), '/properties/a/anyOf', /50 subschemas/],
  ['many subschemas', object(named(500, () => text)), '', /500 subschemas/],
  [
    'a fan-out of references',
    {
      $defs: Object.fromEntries(
        list(20, (index) => [
          `d${index}`,
          index === 19 ? text : { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
        ]),
      ),
      $ref: '#/$defs/d0',
    },
    '',
    /2000 subschemas/,
  ],
  [
    'a fan-out to members',
    {
      $defs: Object.fromEntries(
        list(20, (index) => [
          `d${index}`,
          index === 19 ? text : object({ a: { $ref: `#/$defs/d${index + 1}` }, b: { $ref: `#/$defs/d${index + 1}` } }),
        ]),
      ),
      $ref: '#/$defs/d0',
    },
    '',
    /2000 subschemas/,
  ],
  [
    'many subschemas for one value',
    { type: 'array', items: { allOf: list(10, () => ({ anyOf: list(12, () => ({ minimum: 1, type: 'number' })) })) } },
    '',
    /cost of a value/,
  ],
  ['many patterns for one value', { type: 'object', patternProperties: named(26, () => text) }, '', /cost of a value/],
  [
    'many names for fixed members',
    references(required(['a', 'b', 'c'].flatMap((start) => list(90, (index) => `${start}${index}`)))),
    '',
    /fixed names/,
  ],
  [
    'many searches for duplicates',
    references({ type: 'array', items: text, uniqueItems: true }, 11),
    '',
    /cost of a value/,
  ],
  ['many counts of members', references({ type: 'object', maxProperties: 9_999 }), '', /cost of a value/],
  [
    'properties without a type',
    object({ a: { properties: {} } }),
    '/properties/a',
    /strict mode: missing type `object`/,
  ],
  ['then without if', { type: 'object', ...thenRequired('a') }, '', /strict mode/],
])('refuses a schema with %s', (_, schema, pointer, detail) => {
  const errors = schemaErrors(schema);
  expect(errors[0]).toEqual({ pointer, detail: expect.stringMatching(detail) as string });
});

/** Large objects of hostile schemas that the bounds allow. */
it.each<[name: string, schema: Schema, object: unknown, detail: string]>([
  [
    'alternatives',
    { type: 'array', items: { anyOf: list(49, () => ({ type: 'object', minProperties: 1 })) } },
    list(1_000, () => ({})),
    'must not have fewer than 1 properties',
  ],
  [
    'members',
    { type: 'array', items: object(named(190, () => text)) },
    list(1_100, () => ({})),
    'must not have more than 1041 values with this schema',
  ],
  [
    'values',
    { type: 'array', items: { enum: list(500, (index) => `value ${index}`) } },
    list(1_900, () => 'value 499'),
    'valid',
  ],
  ['unique items', { type: 'array', items: text, uniqueItems: true }, list(9_900, String), 'valid'],
  ['names', object({}, { patternProperties: named(8, () => false) }), named(1_200, () => 1), 'is not allowed'],
  [
    'a long text',
    object({ a: { type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } }),
    { a: 'a'.repeat(50_000) },
    'must match pattern',
  ],
  [
    'texts that backtrack',
    { type: 'array', items: { type: 'string', pattern: '^(a|a?)+$' } },
    list(5, () => `${'a'.repeat(4_000)}!`),
    'must match pattern',
  ],
  [
    'texts that many patterns read',
    { type: 'array', items: { type: 'string', pattern: '^(a|b?|c?|[a-z])+$' } },
    list(14, () => 'a'.repeat(4_000)),
    'must have less text under patterns',
  ],
  [
    'patterns for a fixed member',
    references({ type: 'string', pattern: '^(?:\\p{L})*$' }),
    { a: 'é'.repeat(4_000) },
    'must have less text under patterns',
  ],
  [
    'states of a pattern',
    object({ a: { type: 'string', pattern: '^(?:[ab]*a[ab]{20}){20}$' } }),
    { a: 'ab'.repeat(1_000) },
    'must have less text under patterns',
  ],
  [
    'formats for a fixed member',
    references({ type: 'string', format: 'uri' }),
    { a: `https://a.example/${'a'.repeat(2_000)}` },
    'must have less text under patterns',
  ],
  [
    'lengths of a fixed member',
    references({ type: 'string', maxLength: 99_999 }),
    { a: 'é'.repeat(28_000) },
    'must not have 28001 characters with this schema',
  ],
])('checks an object of a schema with many %s', (_, schema, value, detail) => {
  expect(schemaErrors(schema)).toEqual([]);
  const first = compileValidator(schema)(value) ?? { detail: 'valid' };
  expect(first.detail).toContain(detail);
});
