import { expect, it } from 'vitest';
import { changedValues, cutToDifference, differenceOf, orderedLike } from './value-changes.js';

it('has the changed members by their paths, whatever the order of members is', () => {
  const before = { target: { a: null, group: { arn: '/audit/fraud', region: 'x' } }, gone: 1, tags: ['a'] };
  const after = { target: { group: { region: 'x', arn: '/audit/missing-fraud' }, a: null }, tags: ['a', 'b'] };
  expect(changedValues(before, after)).toEqual([
    { path: 'target.group.arn', before: '/audit/fraud', after: '/audit/missing-fraud' },
    { path: 'tags', before: ['a'], after: ['a', 'b'] },
    { path: 'gone', before: 1, after: undefined },
  ]);
  expect(changedValues([{ a: 1, b: 2 }], [{ b: 2, a: 1 }])).toEqual([]);
  expect(changedValues({ a: null }, {})).toHaveLength(1);
});

it('takes no inherited member for a member', () => {
  expect(changedValues({}, { constructor: 1 })).toEqual([{ path: 'constructor', before: undefined, after: 1 }]);
  expect(orderedLike({ constructor: { b: 1 }, a: 2 }, { a: 0 })).toEqual({ a: 2, constructor: { b: 1 } });
  expect(orderedLike({ a: 2 }, { toString: 0, a: 0 })).toEqual({ a: 2 });
});

it('puts members in the order of another value, and loses none', () => {
  const ordered = orderedLike({ c: 1, b: [{ y: 1, x: 2 }], a: 3 }, { a: 0, b: [{ x: 0, y: 0 }], d: 0 });
  expect(JSON.stringify(ordered)).toBe('{"a":3,"b":[{"x":2,"y":1}],"c":1}');
});

it('cuts long texts to what differs', () => {
  const arn = 'arn:aws:logs:eu-central-1:123456789012:log-group:';
  expect(cutToDifference(`${arn}/audit/fraud`, `${arn}/audit/missing-fraud`)).toEqual([
    '…roup:/audit/fraud',
    '…roup:/audit/missing-fraud',
  ]);
  expect(cutToDifference('none', 'office')).toEqual(['none', 'office']);
  const [long] = cutToDifference('x'.repeat(500), 'y'.repeat(500));
  expect(long).toBe(`${'x'.repeat(30)}…${'x'.repeat(30)}`);
});

it('finds the part in which two texts differ', () => {
  expect(differenceOf('"arn": "a-fraud",', '"arn": "a-missing-fraud",')).toEqual({ start: 10, end: 7 });
  expect(differenceOf('aa', 'aaa')).toEqual({ start: 2, end: 0 });
});
