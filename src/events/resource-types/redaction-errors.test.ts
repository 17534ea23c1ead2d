import { expect, it } from 'vitest';
import { redactionErrors } from './redaction-errors.js';

const nullable = { type: ['string', 'null'] };
const schema = {
  $defs: { card: { type: 'object', properties: { number: nullable, holder: { type: 'string' } } } },
  type: 'object',
  properties: {
    card: { $ref: '#/$defs/card' },
    lines: { type: 'array', items: { type: 'object', properties: { note: nullable, price: { type: 'integer' } } } },
    free: { type: 'object' },
    either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    status: { enum: ['open', null] },
    labels: { type: 'object', additionalProperties: nullable },
  },
  additionalProperties: false,
};

it.each([
  '/card/number',
  '/lines/*/note',
  '/lines/0/note',
  '/free/a/b',
  '/either',
  '/status',
  '/labels/x',
  '/labels/*',
])('accepts the pointer %s', (pointer) => {
  expect(redactionErrors([pointer], schema)).toEqual([]);
  expect(redactionErrors([pointer], null)).toEqual([]);
});

it.each<[pointer: string, detail: RegExp]>([
  ['', /must be a JSON pointer/],
  ['card', /must be a JSON pointer/],
  ['/a~2', /must be a JSON pointer/],
  ['#/card', /must be a JSON pointer/],
  ['/__proto__/x', /__proto__/],
  ['/card/__proto__', /__proto__/],
  ['/a'.repeat(25), /24 parts/],
  ['/kard/number', /that the schema describes/],
  ['/constructor', /that the schema describes/],
  ['/card/holder', /allows to be null/],
  ['/card', /allows to be null|describes/],
  ['/lines/*/price', /allows to be null/],
])('refuses the pointer %j', (pointer, detail) => {
  expect(redactionErrors(['/either', pointer], schema)[0]).toEqual({
    pointer: '/1',
    detail: expect.stringMatching(detail) as string,
  });
});
