import { expect, it } from 'vitest';
import { z } from 'zod';
import { boundedBytes, boundedJson, boundedMap, boundedString } from './bounded.js';
import { assertBounded, unboundedFields } from './unbounded-fields.js';

it('finds no field in a schema of bounded fields', () => {
  const schema = z
    .strictObject({
      name: boundedString(9).min(1).regex(/a/).describe('a name').nullish(),
      text: boundedBytes(9).meta({ description: 'a text' }).default(''),
      time: boundedString(64).check(z.iso.datetime()).optional(),
      lower: boundedString(9).transform((text) => text.toLowerCase()),
      list: z
        .array(boundedString(9))
        .min(1)
        .max(3)
        .refine(() => true)
        .default([]),
      map: boundedMap(boundedString(9), 3, 'entries')
        .superRefine(() => {})
        .transform((map) => map)
        .nullable(),
      json: boundedJson(9, 2).nullish(),
      number: z.preprocess(Number, z.int().min(1)).default(1),
      flag: z.boolean(),
      one: z.union([z.enum(['a']), z.null(), z.literal('b')]),
    })
    .superRefine(() => {});
  expect(unboundedFields(schema)).toEqual([]);
  expect(() => assertBounded(schema)).not.toThrow();
});

it.each([
  ['/a', z.strictObject({ a: z.string() })],
  ['/a', z.strictObject({ a: z.string().max(9) })],
  [
    '/a',
    z.strictObject({
      a: z
        .string()
        .regex(/a/)
        .check(z.maxLength(9, { abort: true })),
    }),
  ],
  ['/a', z.strictObject({ a: z.iso.datetime().nullish() })],
  ['/a', z.strictObject({ a: z.array(boundedString(9)) })],
  [
    '/a',
    z.strictObject({
      a: z
        .array(boundedString(9))
        .refine(() => true)
        .max(3),
    }),
  ],
  ['/a/0', z.strictObject({ a: z.array(z.string()).max(3) })],
  ['/a', z.strictObject({ a: z.record(boundedString(9), boundedString(9)) })],
  ['/a/~value', z.strictObject({ a: boundedMap(z.string(), 3, 'entries') })],
  ['/a', z.strictObject({ a: z.unknown() })],
  ['/a', z.strictObject({ a: z.preprocess(String, z.string()) })],
  ['/a/b', z.strictObject({ a: z.union([z.null(), z.strictObject({ b: z.string() })]) })],
  ['/*', z.looseObject({})],
])('names the field %s (case %#)', (path, schema) => {
  expect(unboundedFields(schema)).toEqual([path]);
  expect(() => assertBounded(schema)).toThrow(path);
});
