import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readYaml } from './yaml-document.js';

const DEEPEST = 20;
const read = (text: string) => readYaml(text, DEEPEST);
const refused = (detail: unknown, pointer = '') => ({ errors: [{ pointer, detail }] });

describe('a YAML document', () => {
  it('has the values that were written', () => {
    // JSON has no negative zero. NUL and lone surrogates are refused.
    const value = fc
      .jsonValue({ maxDepth: 4, noUnicodeString: false })
      .map((any) => JSON.stringify(any))
      .filter((json) => !/\\u0000|\\ud[89a-f]/.test(json))
      .map((json) => JSON.parse(json));
    fc.assert(
      fc.property(value, (written) => {
        expect(read(stringify(written))).toEqual({ value: written });
      }),
      { numRuns: 25 },
    );
  });

  it('of JSON has the values of the JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (json) => {
        expect(read(json)).toEqual({ value: JSON.parse(json) });
      }),
    );
  });

  it.each([
    ['', null],
    ['# only a comment', null],
    ['yes', 'yes'],
    ['a: {b: [1, ~, 0x10, 1.5, true]}', { a: { b: [1, null, 16, 1.5, true] } }],
    ['1: one\ntrue: two', { 1: 'one', true: 'two' }],
    ['<<: {a: 1}', { '<<': { a: 1 } }],
    ['a: &x [1]\nb: *x', { a: [1], b: [1] }],
    ['a: &y {c: &x 1}\nb: &x 2\nd: *y\ne: *x', { a: { c: 1 }, b: 2, d: { c: 1 }, e: 2 }],
    ['a: 2026-01-31', { a: '2026-01-31' }],
  ])('%j is %j', (text, value) => {
    expect(read(text)).toEqual({ value });
  });

  it.each([
    ['a: 1\nb: {c: 1, "c": 2}', 'is given more than once', '/b/c'],
    ['a: *x', 'is an alias of "x", which is not an anchor before it', '/a'],
    ['a: .inf', 'must be a value that JSON has', '/a'],
    ['a: !!binary aGk=', expect.stringMatching(/^is not YAML: line 1, column 4: .*tag/), ''],
    ['a: !x b', expect.stringMatching(/^is not YAML: line 1, column 4: .*tag/), ''],
    ['? [a]\n: b', expect.stringMatching(/^is not YAML: .*strings/), ''],
    ['a: 1\n---\nb: 2', 'must not have more than one YAML document', ''],
    ['%YAML 1.1\n---\na: 1', 'must not have YAML directives', ''],
    ['a:\n  - b\n c', expect.stringMatching(/^is not YAML: line \d, column \d: /), ''],
  ])('%j is refused', (text, detail, pointer) => {
    expect(read(text)).toEqual(refused(detail, pointer));
  });

  it('of expanding aliases is refused before it is expanded', () => {
    const lines = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join()}]`);
    expect(read(`a0: &a0 [x]\n${lines.join('\n')}`)).toEqual(refused('must not have more than 12288 values'));
    expect(read('&a [*a, *a]')).toEqual(refused(expect.stringMatching(/^must not have more than/)));
  });

  it.each(['[', '{', '- ', '? ', '{a: [', 'a: [\n', '&a ['])('nested by %j is refused at any depth', (opening) => {
    for (const times of [30, 300, 3_000, 12_000]) {
      const result = read(opening.repeat(times));
      expect(result).toEqual({ errors: [{ pointer: '', detail: expect.any(String) as string }] });
    }
  });

  it('may have the limit of levels, and no more', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(read(nested(DEEPEST))).toHaveProperty('value');
    expect(read(nested(DEEPEST + 1))).toEqual(refused(`must not have more than ${DEEPEST} levels`));
    expect(read(`a: &a ${nested(12)}\nb: ${'['.repeat(12)}*a${']'.repeat(12)}`)).toEqual(
      refused(`must not have more than ${DEEPEST} levels`),
    );
  });

  it.each(['[,', '- }\n', '"', '*a ', '&a ', '!a ', '#\n', ']', '? a\n'])(
    'of many tokens such as %j is refused after a bounded number of them',
    (part) => {
      expect(read(part.repeat(24_576))).toEqual({ errors: [{ pointer: '', detail: expect.any(String) as string }] });
    },
  );
});
