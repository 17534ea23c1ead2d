import { expect, it } from 'vitest';
import { objectChanges } from './object-changes.js';

it('has the changed members only, and a member that appears or disappears on one side', () => {
  const before = { same: { a: [1] }, changed: 1, gone: 'x', toString: 1 };
  const after = { same: { a: [1] }, changed: 2, added: null, toString: 1 };
  expect(objectChanges(before, after)).toEqual({
    before: { changed: 1, gone: 'x' },
    after: { changed: 2, added: null },
  });
});

it('is empty for equal objects, and does not confuse inherited members with own ones', () => {
  expect(objectChanges({ a: 1 }, { a: 1 })).toEqual({ before: {}, after: {} });
  expect(objectChanges({ a: 0, b: { c: [0] } }, { a: -0, b: { c: [-0] } })).toEqual({ before: {}, after: {} });
  expect(objectChanges({}, { constructor: 1 })).toEqual({ before: {}, after: { constructor: 1 } });
});
