import { expect, it } from 'vitest';
import { redacted } from './redaction.js';

const order = { card: { number: '4111', 'a/b': 1, '~': 2 }, lines: [{ note: 'x', id: 1 }, { note: 'y' }, 3], total: 5 };

it.each<[pointers: readonly string[], changed: object]>([
  [[], {}],
  [['/total'], { total: null }],
  [['/card/number', '/card/a~1b', '/card/~0'], { card: { number: null, 'a/b': null, '~': null } }],
  [['/lines/*/note'], { lines: [{ note: null, id: 1 }, { note: null }, 3] }],
  [['/lines/1'], { lines: [order.lines[0], null, 3] }],
  [['/card/*'], { card: { number: null, 'a/b': null, '~': null } }],
  [['/*'], { card: null, lines: null, total: null }],
  [['/absent', '/card/number/deeper', '/total/x', '/lines/9', '/lines/note', '/constructor', '/toString/name'], {}],
])('%j nulls the values that it names, and adds nothing', (pointers, changed) => {
  const before = structuredClone(order);
  expect(redacted(order, pointers)).toEqual({ ...order, ...changed });
  expect(order).toEqual(before);
});
