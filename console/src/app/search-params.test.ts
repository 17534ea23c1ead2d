import { expect, it } from 'vitest';
import { listParam, parseSearch, stringifySearch, textParam } from './search-params.js';

it('writes an address that reads as the same parameters', () => {
  const search = { q: '41 & "x"', state: ['paused', 'healthy'] };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
});

it('leaves out what is empty', () => {
  expect(stringifySearch({ q: '', state: undefined, type: [] })).toBe('');
});

it('takes texts and allowed values only', () => {
  expect([textParam('a'), textParam(['a', 'b']), textParam(''), textParam(7)]).toEqual([
    'a',
    'a',
    undefined,
    undefined,
  ]);
  expect(listParam(['b', 'x'], ['a', 'b'])).toEqual(['b']);
  expect(listParam('x', ['a', 'b'])).toBeUndefined();
});
