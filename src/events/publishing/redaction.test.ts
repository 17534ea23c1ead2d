import * as fc from 'fast-check';
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

it('is the same for all pointers at once and for one after the other', () => {
  const name = fc.constantFrom('a', 'b', '0', '1');
  const { object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.integer(), fc.array(tie('value'), { maxLength: 3 }), tie('object')),
    object: fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  }));
  const path = fc.array(fc.oneof(name, fc.constant('*')), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(object, fc.array(path, { maxLength: 4 }), (value, paths) => {
      const pointers = paths.map((parts) => `/${parts.join('/')}`);
      const oneByOne = pointers.reduce((result, pointer) => redacted(result, [pointer]), value);
      expect(redacted(value, pointers)).toEqual(oneByOne);
    }),
  );
});

it('walks an object once, whatever the number of pointers', () => {
  const reads = (pointers: readonly string[]): number => {
    let count = 0;
    const item = () => ({
      get a() {
        count += 1;
        return { b: 1 };
      },
    });
    redacted({ list: Array.from({ length: 100 }, item) }, pointers);
    return count;
  };
  const many = Array.from({ length: 50 }, (_, number) => `/${number % 2 === 0 ? '*' : 'list'}/*/a/x${number}`);
  expect(reads(many)).toBe(reads(many.slice(0, 1)));
});
