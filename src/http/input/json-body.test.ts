import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isStorable } from '../../bounds/storable.js';
import { Problem } from '../../problems/problem.js';
import { DEEPEST_BODY, MOST_VALUES, parseJsonBody } from './json-body.js';

async function errorsOf(text: string) {
  try {
    await parseJsonBody(Buffer.from(text));
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, errors: error.errors };
    throw error;
  }
  return null;
}

test('the JSON of storable values is parsed unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (value) => {
      const text = JSON.stringify(value);
      fc.pre(!text.includes('__proto__') && !text.includes('\\u0000') && !text.includes('\\ud'));
      expect(await parseJsonBody(Buffer.from(text))).toEqual(JSON.parse(text));
    }),
  );
});

/** The result of parsing bytes: a value or the error. */
async function outcomeOf(bytes: Buffer): Promise<unknown> {
  try {
    await parseJsonBody(bytes);
    return 'a value';
  } catch (error) {
    return error;
  }
}

test('any bytes result in a value or a Problem', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (given) => {
      const outcome = await outcomeOf(Buffer.from(given));
      expect(outcome === 'a value' || outcome instanceof Problem).toBe(true);
    }),
  );
});

test.each([
  [String.raw`{"a":"x\u0000y"}`, '/a'],
  [String.raw`{"a":["ok","\ud800"]}`, '/a/1'],
  [String.raw`{"a":"\udc00\ud800"}`, '/a'],
  [String.raw`{"a":{"k\u0000":1}}`, '/a'],
  ['{"__proto__":{"admin":true}}', '/__proto__'],
  ['{"a":{"__proto__":1}}', '/a/__proto__'],
  [String.raw`{"a":{"__proto\u005f_":1}}`, '/a/__proto__'],
])('%s is refused at %s', async (text, pointer) => {
  expect(await errorsOf(text)).toMatchObject({ code: 'invalid_input', errors: [{ pointer }] });
});

test('surrogate pairs are accepted', async () => {
  expect(await parseJsonBody(Buffer.from(String.raw`"\ud83d\ude00"`))).toBe('😀');
  expect(isStorable('😀')).toBe(true);
});

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

test('nesting is accepted up to the limit', async () => {
  expect(await errorsOf(nested(DEEPEST_BODY))).toBeNull();
  expect(await errorsOf(nested(DEEPEST_BODY + 1))).toMatchObject({ code: 'malformed_json' });
  expect(await errorsOf('[1'.repeat(100_000))).toMatchObject({ code: 'malformed_json' });
});

function listOf(item: string, count: number): string {
  return `[${Array.from({ length: count }, () => item).join(',')}]`;
}

test.each([
  ['numbers in a list', listOf('0', MOST_VALUES - 2), listOf('0', MOST_VALUES)],
  ['members with lists', listOf('{"a":[0,1]}', MOST_VALUES / 4 - 1), listOf('{"a":[0,1]}', MOST_VALUES / 4)],
  ['empty objects', listOf('{}', MOST_VALUES / 2 - 1), listOf('{}', MOST_VALUES / 2)],
])('as many values are accepted as the limit says: %s', async (_, accepted, refused) => {
  expect(await errorsOf(accepted)).toBeNull();
  expect(await errorsOf(refused)).toMatchObject({ code: 'body_too_large' });
  // The bytes are counted before any value is made: nothing notices that this is not JSON.
  expect(await errorsOf(refused.slice(0, -1))).toMatchObject({ code: 'body_too_large' });
});

test.each([[String.raw`["${',[{'.repeat(MOST_VALUES)}"]`], [String.raw`["\\\"${',[{'.repeat(MOST_VALUES)}\\","]"]`]])(
  'what is within text is no value',
  async (text) => {
    expect(await errorsOf(text)).toBeNull();
  },
);

test('names such as constructor are accepted, and the last of two equal names is used', async () => {
  expect(await parseJsonBody(Buffer.from('{"constructor":"x","a":1,"a":2}'))).toEqual({ constructor: 'x', a: 2 });
});

test('an empty body is undefined', async () => {
  expect(await parseJsonBody(Buffer.alloc(0))).toBeUndefined();
});
