import { expect, test } from 'vitest';
import { prefersHtml } from './front-page.js';

test.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['Text/HTML', true],
  ['application/json;q=0.5, text/html', true],
  ['application/json, text/html;q=0.5', false],
  ['text/html;q=0', false],
  ['application/json', false],
  ['application/problem+json, */*', false],
  ['*/*', false],
  ['', false],
  [undefined, false],
  [';;q=,text/html;q=x', true],
])('Accept: %s prefers HTML: %s', (accept, expected) => {
  expect(prefersHtml(accept)).toBe(expected);
});
