import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonDocument } from './json-document.js';

const names = fc.constantFrom('a', 'b', ':', '":', '\\', '__proto__', 'ü');
const space = fc.constantFrom('', '', ' ', '\n', '\t');
const quoted = names.chain((name) =>
  fc.constantFrom(
    JSON.stringify(name),
    `"${Array.from(name, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
  ),
);

/** Texts of JSON whose objects may have a name twice, and whether one has. */
const { document } = fc.letrec<{ document: [text: string, isRepeated: boolean] }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(fc.oneof(quoted, fc.constantFrom('1', 'null', '":::"')), fc.constant(false)),
    fc
      .array(tie('document'), { maxLength: 3 })
      .map((all): [string, boolean] => [
        `[${all.map(([text]) => text).join(',')}]`,
        all.some(([, isRepeated]) => isRepeated),
      ]),
    fc
      .array(fc.tuple(quoted, space, tie('document')), { maxLength: 4 })
      .map((all): [string, boolean] => [
        `{${all.map(([name, white, [text]]) => `${name}${white}:${text}`).join(',')}}`,
        new Set(all.map(([name]) => JSON.parse(name))).size < all.length ||
          all.some(([, , [, isRepeated]]) => isRepeated),
      ]),
  ),
}));

const TWICE = 'a member is there twice';

it('a member that is there twice is found, in whatever way it is written', () => {
  fc.assert(
    fc.property(document, ([text, isRepeated]) => {
      expect(new JsonDocument(text, JSON.parse(text)).fault()).toBe(isRepeated ? TWICE : null);
    }),
    { numRuns: 5_000 },
  );
});

it.each(['x', '\\"'])('a long string of %j is read', (unit) => {
  const text = `{"a" : "${unit.repeat(9_000_000)}", "a": 1}`;
  expect(new JsonDocument(text, JSON.parse(text)).fault()).toBe(TWICE);
});
