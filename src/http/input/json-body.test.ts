import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isStorable } from '../../bounds/storable.js';
import { Problem } from '../../problems/problem.js';
import { DEEPEST_BODY, parseJsonBody } from './json-body.js';

function errorsOf(text: string) {
  try {
    parseJsonBody(Buffer.from(text));
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, errors: error.errors };
    throw error;
  }
  return null;
}

test('the JSON of storable values is parsed unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!text.includes('__proto__') && !text.includes('\\u0000') && !text.includes('\\ud'));
      expect(parseJsonBody(Buffer.from(text))).toEqual(JSON.parse(text));
    }),
  );
});

/** The result of parsing bytes: a value or the error. */
function outcomeOf(bytes: Buffer): unknown {
  try {
    parseJsonBody(bytes);
    return 'a value';
  } catch (error) {
    return error;
  }
}

test('any bytes result in a value or a Problem', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (given) => {
      const outcome = outcomeOf(Buffer.from(given));
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
])('%s is refused at %s', (text, pointer) => {
  expect(errorsOf(text)).toMatchObject({ code: 'invalid_input', errors: [{ pointer }] });
});

test('surrogate pairs are accepted', () => {
  expect(parseJsonBody(Buffer.from(String.raw`"\ud83d\ude00"`))).toBe('😀');
  expect(isStorable('😀')).toBe(true);
});

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

test('nesting is accepted up to the limit', () => {
  expect(errorsOf(nested(DEEPEST_BODY))).toBeNull();
  expect(errorsOf(nested(DEEPEST_BODY + 1))).toMatchObject({ code: 'malformed_json' });
  expect(errorsOf('[1'.repeat(100_000))).toMatchObject({ code: 'malformed_json' });
});

test('names such as constructor are accepted, and the last of two equal names is used', () => {
  expect(parseJsonBody(Buffer.from('{"constructor":"x","a":1,"a":2}'))).toEqual({ constructor: 'x', a: 2 });
});

test('an empty body is undefined', () => {
  expect(parseJsonBody(Buffer.alloc(0))).toBeUndefined();
});
