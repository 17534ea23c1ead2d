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
])('match accepts %j', (value) => {
  expect(match.parse(value)).toBe(value);
});

it.each([
  '',
  'a b',
  'אa.example',
  '/a b',
  '/a\nb',
  '/a\u0000',
  '/a?b',
  '/a#b',
  '*',
  '-a.example.com',
  'a:b',
  '/'.repeat(2049),
])('match refuses %j', (value) => {
  const { error } = match.safeParse(value);
  expect(error?.issues).toHaveLength(1);
});

it.each([
  ['App.Example.com/Api', 'app.example.com/Api'],
  ['*.Bücher.example:8443/Ü', '*.xn--bcher-kva.example:8443/Ü'],
  ['/App', '/App'],
])('match stores %j as %j', (value, stored) => {
  expect(match.parse(value)).toBe(stored);
});

it('match is bounded with its host in ASCII', () => {
  expect(match.safeParse(`ü.de/${'a'.repeat(2042)}`).error?.issues).toHaveLength(1);
});
