import { expect, it } from 'vitest';
import { match } from './match.js';

it.each([
  '/',
  '/api/',
  '/a%20b;c=d',
  '/straße',
  'example.com',
  'example.com/api',
  '*.example.com:8443/',
  'localhost:80',
])('%j says which requests a route is for', (value) => {
  expect(match.parse(value)).toBe(value);
});

it.each([
  '',
  'a b',
  '/a b',
  '/a\nb',
  '/a\u0000',
  '/a?b',
  '/a#b',
  '*',
  '-a.example.com',
  'a:b',
  '/'.repeat(2049),
])('%j does not', (value) => {
  const { error } = match.safeParse(value);
  expect(error?.issues).toHaveLength(1);
});
