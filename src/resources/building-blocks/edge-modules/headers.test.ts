import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerNames, headers, inLowerCase } from './headers.js';

function issuesOf(map: unknown) {
  return headers.safeParse(map).error?.issues.map(({ path, message }) => [...path, message]);
}

describe('headers', () => {
  it.each([
    {},
    { 'Content-Type': 'text/plain; charset=utf-8', 'X-Empty': '' },
    { "a!#$%&'*+-.^_`|~9": 'é\tü' },
    Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x-${index}`, 'v'.repeat(1024)])),
  ])('are accepted unchanged (%#)', (map) => {
    expect(headers.parse(map)).toEqual(map);
  });

  it.each(['', 'a b', 'a:', 'é', 'a\r\nb', 'a\0', 'a\n', '(a)', 'a'.repeat(129)])(
    'are refused with the name %j',
    (name) => {
      expect(issuesOf({ [name]: 'x' })).toEqual([[name, expect.stringMatching(/header name/)]]);
    },
  );

  it.each(['a\rb', 'a\nb', 'a\0b', 'a\r\nSet-Cookie: x', '\u007f', ' a', 'a ', '\ta', 'v'.repeat(1025)])(
    'are refused with the value %j',
    (value) => {
      expect(issuesOf({ 'x-a': value })).toEqual([['x-a', expect.stringMatching(/^must not/)]]);
    },
  );

  it.each(['Content-Length', 'transfer-encoding'])('must not contain the framing header %s', (name) => {
    expect(issuesOf({ [name]: '0' })).toEqual([[name, 'must not be set: the sender of the message sets this header']]);
  });

  it('have unique names, ignoring case, and a limited number', () => {
    expect(issuesOf({ 'X-A': '1', 'x-a': '2' })).toEqual([['x-a', 'occurs twice: header names are case-insensitive']]);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`x-${index}`, '']));
    expect(issuesOf(many)).toEqual([['must not have more than 50 headers']]);
  });

  it('cannot end a header if they are accepted', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'B', '-', ':', ' ', '\t', '\r', '\n', '\0', 'é', '\u0085'),
    });
    fc.assert(
      fc.property(fc.dictionary(text, text), (map) => {
        const result = headers.safeParse(map);
        if (!result.success) return;
        for (const [name, value] of Object.entries(result.data)) {
          expect(name).toMatch(/^[^\s:\0]+$/);
          expect(value).not.toMatch(/[\r\n\0]/);
        }
      }),
    );
  });

  it('are converted to lower case in names, not in values', () => {
    expect(inLowerCase({ 'X-Frame': 'DENY' })).toEqual({ 'x-frame': 'DENY' });
  });
});

describe('header names', () => {
  it('are unique tokens', () => {
    expect(headerNames.parse(['Server', 'x-powered-by'])).toEqual(['Server', 'x-powered-by']);
    const result = headerNames.safeParse(['Server', 'a b', 'server']);
    expect(result.error?.issues.map(({ path }) => path)).toEqual([[1], [2]]);
  });
});
