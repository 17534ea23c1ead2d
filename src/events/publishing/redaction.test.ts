import { expect, it } from 'vitest';
import { redacted } from './redaction.js';

const order = { card: { number: '4111', 'a/b': 1, '~': 2 }, lines: [{ note: 'x', id: 1 }, { note: 'y' }, 3], total: 5 };

it.each<[pointers: readonly string[], changed: object]>([
  [[], {}],
  [['/total'], { total: null }],
  [['/card/number', '/card/a~1b', '/card/~0'], { card: { number: null, 'a/b': null, '~': null } }],
  [['/lines/*/note'], { lines: [{ note: null, id: 1 }, { note: null }, null] }],
  [['/lines/1'], { lines: [order.lines[0], null, 3] }],
  [['/card/*'], { card: { number: null, 'a/b': null, '~': null } }],
  [['/*'], { card: null, lines: null, total: null }],
  [['/absent', '/card/absent/deeper', '/lines/9', '/lines/9/x', '/constructor', '/toString/name'], {}],
])('%j nulls the values that it names, and adds nothing', (pointers, changed) => {
  const before = structuredClone(order);
  expect(redacted(order, pointers)).toEqual({ ...order, ...changed });
  expect(order).toEqual(before);
});

it.each<[pointers: readonly string[], changed: object]>([
  [['/total/x'], { total: null }],
  [['/lines/note'], { lines: null }],
  [['/lines/-'], { lines: null }],
  [['/lines/01'], { lines: null }],
  [['/card/number/deeper'], { card: { ...order.card, number: null } }],
  [['/lines/2/note'], { lines: [order.lines[0], order.lines[1], null] }],
  [['/lines/*/note/x'], { lines: [{ note: null, id: 1 }, { note: null }, null] }],
])('%j nulls the whole value that has no such members', (pointers, changed) => {
  expect(redacted(order, pointers)).toEqual({ ...order, ...changed });
});

it.each([
  ['4111 1111'],
  [[{ number: '4111' }]],
  [['4111']],
  [4111],
  [true],
  [{ number: '4111', kind: 'x' }],
  [{ number: { of: '4111' } }],
])('hides the number of the card %j', (card) => {
  expect(JSON.stringify(redacted({ card }, ['/card/number']))).not.toMatch(/4111|true/);
});
