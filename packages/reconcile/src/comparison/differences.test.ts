import { expect, it } from 'vitest';
import { differencesOf } from './differences.js';

it('names the members that differ, with both values', () => {
  const delivered = { id: 'e', object: { cidr: '10.0.0.0/8', tags: ['a', 'b'], gone: 1 }, metadata: { 'a.b': 1 } };
  const held = { id: 'e', object: { cidr: '10.0.0.0/9', tags: ['a', 'c'] }, metadata: { 'a.b': '1' }, more: null };
  expect(differencesOf(delivered, held)).toEqual([
    { member: 'object.cidr', delivered: '10.0.0.0/8', held: '10.0.0.0/9' },
    { member: 'object.tags[1]', delivered: 'b', held: 'c' },
    { member: 'object.gone', delivered: 1 },
    { member: 'metadata["a.b"]', delivered: 1, held: '1' },
    { member: 'more', held: null },
  ]);
});

it('names none where only the order of members differs', () => {
  expect(differencesOf({ a: 1, b: { c: [2], d: 3 } }, { b: { d: 3, c: [2] }, a: 1 })).toEqual([]);
});

it('names lists of another length as a whole, and at most 50 members', () => {
  expect(differencesOf({ a: [1] }, { a: [1, 2] })).toEqual([{ member: 'a', delivered: [1], held: [1, 2] }]);
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`m${index}`, index]));
  expect(differencesOf(many, {})).toHaveLength(50);
});
