import { expect, it } from 'vitest';
import { narrowings } from './schema-compatibility.js';

type Schema = Readonly<Record<string, unknown>>;
const object = (properties: Schema, more: Schema = {}): Schema => ({ type: 'object', properties, ...more });
const a = (schema: unknown): Schema => object({ a: schema });

it.each<[name: string, before: Schema | null, after: Schema | null]>([
  ['no schema', a({ type: 'string' }), null],
  ['other annotations', a({ type: 'string' }), a({ type: 'string', description: 'new', examples: ['x'] })],
  ['a new optional member', a({ type: 'string' }), object({ a: { type: 'string' }, b: { type: 'integer' } })],
  ['fewer required members', object({}, { required: ['a', 'b'] }), object({}, { required: ['a'] })],
  ['more types', a({ type: 'integer' }), a({ type: ['number', 'null'] })],
  ['more values', a({ enum: ['x'] }), a({ enum: ['y', 'x'] })],
  ['wider bounds', a({ minimum: 1, maxLength: 5 }), a({ minimum: 0, maxLength: 6 })],
  ['no bounds', a({ maximum: 1, pattern: 'a', format: 'date', uniqueItems: true }), a({})],
  ['more alternatives', a({ anyOf: [{ type: 'string' }] }), a({ anyOf: [{ type: 'string' }, { type: 'null' }] })],
  ['open members', object({}, { additionalProperties: false }), object({})],
  [
    'a relaxed definition',
    { $defs: { d: { maximum: 1 } }, $ref: '#/$defs/d' },
    { $defs: { d: {}, e: { type: 'null' } }, $ref: '#/$defs/d' },
  ],
  ['an annotation below oneOf', a({ oneOf: [{ type: 'string' }] }), a({ oneOf: [{ type: 'string', title: 'x' }] })],
])('%s relaxes a schema', (_, before, after) => {
  expect(narrowings(before, after)).toEqual([]);
});

it.each<[name: string, before: Schema | null, after: Schema | null, pointer: string]>([
  ['a first schema', null, a({}), ''],
  ['a required member', object({}), object({}, { required: ['a'] }), '/required'],
  ['fewer types', a({ type: ['string', 'null'] }), a({ type: 'string' }), '/properties/a/type'],
  ['a first type', a({}), a({ type: 'string' }), '/properties/a/type'],
  ['fewer values', a({ enum: ['x', 'y'] }), a({ enum: ['x'] }), '/properties/a/enum'],
  ['narrower bounds', a({ minimum: 0 }), a({ minimum: 1 }), '/properties/a/minimum'],
  ['a new bound', a({}), a({ maxLength: 1 }), '/properties/a/maxLength'],
  ['another pattern', a({ pattern: 'a' }), a({ pattern: 'b' }), '/properties/a/pattern'],
  ['a new item', a({}), a({ items: { type: 'string' } }), '/properties/a/items/type'],
  ['closed members', object({}), object({}, { additionalProperties: false }), '/additionalProperties'],
  [
    'a lost member of a closed object',
    object({ a: {} }, { additionalProperties: false }),
    object({}, { additionalProperties: false }),
    '/properties',
  ],
  [
    'a narrower definition',
    { $defs: { d: {} }, $ref: '#/$defs/d' },
    { $defs: { d: { maximum: 1 } }, $ref: '#/$defs/d' },
    '/$defs/d/maximum',
  ],
  [
    'a relaxed definition below not',
    { $defs: { d: { maximum: 1 } }, not: { $ref: '#/$defs/d' } },
    { $defs: { d: {} }, not: { $ref: '#/$defs/d' } },
    '',
  ],
  [
    'a relaxed subschema of oneOf',
    a({ oneOf: [{ maximum: 1 }, {}] }),
    a({ oneOf: [{ maximum: 2 }, {}] }),
    '/properties/a/oneOf',
  ],
  [
    'unevaluated members',
    object({}, { unevaluatedProperties: false }),
    object({ a: {} }, { unevaluatedProperties: false }),
    '',
  ],
])('%s does not', (_, before, after, pointer) => {
  expect(narrowings(before, after)[0]?.pointer).toBe(pointer);
});
