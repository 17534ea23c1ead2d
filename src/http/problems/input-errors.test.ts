import { expect, test } from 'vitest';
import { z } from 'zod';
import { boundedBytes, boundedString } from '../../bounds/bounded.js';
import { parseInput } from '../input/validation.js';
import { inputErrors, sentenceOf } from './input-errors.js';

const schema = z.strictObject({
  name: z.string().min(1).max(5),
  'a/b~c': z.string().optional(),
  active: z.boolean().optional(),
  action: z.enum(['allow', 'deny']).optional(),
  count: z.int().min(1).max(9).optional(),
  whole: z.int().optional(),
  tags: z.array(z.string()).max(2).optional(),
  labels: z.record(z.string().max(3), z.string()).optional(),
  note: boundedBytes(3).nullable().optional(),
  at: z.iso.datetime().optional(),
  backend: z.strictObject({ id: z.string(), on: z.boolean() }).nullable().optional(),
  auth: z
    .union([z.strictObject({ role: z.string() }), z.strictObject({ user: z.string(), password: z.string() })])
    .optional(),
  size: z.union([z.number(), z.literal('all')]).optional(),
});

function errorsOf(value: unknown): unknown {
  const { error } = schema.safeParse(value, { error: sentenceOf });
  return inputErrors(error?.issues ?? [], 'body');
}

const cases: [unknown, [string, string][]][] = [
  [undefined, [['', 'is required']]],
  [null, [['', 'must be an object']]],
  [[], [['', 'must be an object']]],
  [{}, [['/name', 'is required']]],
  [{ name: 5 }, [['/name', 'must be text']]],
  [{ name: null }, [['/name', 'must be text']]],
  [{ name: '' }, [['/name', 'must not be empty']]],
  [{ name: 'abcdef' }, [['/name', 'must not be longer than 5 characters']]],
  [{ name: 'a', 'a/b~c': 1 }, [['/a~1b~0c', 'must be text']]],
  [{ name: 'a', active: 'yes' }, [['/active', 'must be true or false']]],
  [{ name: 'a', action: 'x' }, [['/action', 'must be one of "allow", "deny"']]],
  [{ name: 'a', count: 0 }, [['/count', 'must be at least 1']]],
  [{ name: 'a', count: 10 }, [['/count', 'must be at most 9']]],
  [{ name: 'a', count: 1e30 }, [['/count', 'must be at most 9']]],
  [{ name: 'a', count: -1e30 }, [['/count', 'must be at least 1']]],
  [{ name: 'a', whole: 1e30 }, [['/whole', 'must be at most 9007199254740991']]],
  [{ name: 'a', count: 1.5 }, [['/count', 'must be a whole number']]],
  [{ name: 'a', tags: ['x', 2] }, [['/tags/1', 'must be text']]],
  [{ name: 'a', tags: ['x', 'y', 'z'] }, [['/tags', 'must not have more than 2 items']]],
  [{ name: 'a', labels: { long_name: 'x' } }, [['/labels/long_name', 'must not be longer than 3 characters']]],
  [{ name: 'a', note: 'äää' }, [['/note', 'must not be longer than 3 bytes of UTF-8']]],
  [{ name: 'a', at: 'noon' }, [['/at', 'must be an RFC 3339 time such as 2026-01-31T12:00:00Z']]],
  [
    { name: 'a', backend: { id: 'x', up: 1 } },
    [
      ['/backend/on', 'is required'],
      ['/backend/up', 'is unknown'],
    ],
  ],
  [
    { name: 'a', nmae: 'a', toString: 1 },
    [
      ['/nmae', 'is unknown'],
      ['/toString', 'is unknown'],
    ],
  ],
  [{ name: 'a', auth: { user: 'u' } }, [['/auth/password', 'is required']]],
  [{ name: 'a', auth: 'x' }, [['/auth', 'must be an object']]],
  [{ name: 'a', size: true }, [['/size', 'must be a number, or must be "all"']]],
];

test.each(cases)('%j', (value, expected) => {
  expect(errorsOf(value)).toEqual(expected.map(([pointer, detail]) => ({ pointer, detail })));
});

test('pointers to the query differ from pointers to the body', () => {
  expect(() => parseInput(z.strictObject({ name: boundedString(5) }), { name: 5 }, 'query')).toThrow(
    '?name: must be text',
  );
});

test('each value of a repeated query parameter has the pointer of the parameter, and a repeated error is one', () => {
  const query = z.strictObject({ state: z.array(z.enum(['on', 'off'])).max(9) });
  const { error } = query.safeParse({ state: ['on', 'x', 'y'] }, { error: sentenceOf });
  expect(inputErrors(error?.issues ?? [], 'query')).toEqual([
    { pointer: '?state', detail: 'must be one of "on", "off"' },
  ]);
});

test('a schema with a field whose size is not bounded validates nothing', () => {
  expect(() => parseInput(z.strictObject({ name: z.string() }), { name: 'a' }, 'body')).toThrow('/name');
});

test('at most 50 errors are listed', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, index]));
  expect(errorsOf({ name: 'a', ...many })).toHaveLength(50);
});
