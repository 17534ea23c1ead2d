import { describe, expect, it } from 'vitest';
import { diffLines, foldUnchanged } from './line-diff.js';

/** Writes a comparison as in a patch; a pair of changed lines as `-old +new`. */
function patch(left: string, right: string): readonly string[] {
  return diffLines(left.split(' '), right.split(' ')).map((row) => {
    if (!row.isChanged) return `${row.left?.text}`;
    return [row.left && `-${row.left.text}`, row.right && `+${row.right.text}`].filter(Boolean).join(' ');
  });
}

describe('a comparison of lines', () => {
  it('has changed lines side by side', () => {
    expect(patch('{ a b c }', '{ a x c }')).toEqual(['{', 'a', '-b +x', 'c', '}']);
  });

  it('has the fewest changed lines', () => {
    expect(patch('a b c d', 'b c d e')).toEqual(['-a', 'b', 'c', 'd', '+e']);
    expect(patch('x a y b z', 'a b')).toEqual(['-x', 'a', '-y', 'b', '-z']);
  });

  it('numbers the lines of each side', () => {
    const rows = diffLines(['a', 'b'], ['a', 'x', 'b']);
    expect(rows.at(-1)).toEqual({ left: { number: 2, text: 'b' }, right: { number: 3, text: 'b' }, isChanged: false });
  });

  it('loses and repeats no line, whatever the texts are', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const left = Array.from({ length: seed % 7 }, (_, index) => 'abc'[(seed * (index + 3)) % 3] ?? '');
      const right = Array.from({ length: seed % 5 }, (_, index) => 'abc'[(seed * 5 + index * index) % 3] ?? '');
      const rows = diffLines(left, right);
      expect(rows.flatMap((row) => row.left?.text ?? [])).toEqual(left);
      expect(rows.flatMap((row) => row.right?.text ?? [])).toEqual(right);
      expect(rows.every((row) => row.isChanged || row.left?.text === row.right?.text)).toBe(true);
    }
  });

  it('of equal and of empty texts has no change', () => {
    expect(patch('a b', 'a b')).toEqual(['a', 'b']);
    expect(diffLines([], [])).toEqual([]);
  });

  it('of two long texts without a common line ends', () => {
    const of = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word}${index}`);
    expect(diffLines(of('a'), of('b'))).toHaveLength(3_000);
  });
});

it('folds what is far from a change', () => {
  const left = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const parts = foldUnchanged(diffLines(left, left.with(10, 'changed')));
  expect(parts.map(({ isFolded, rows }) => [isFolded, rows.length])).toEqual([
    [true, 7],
    [false, 7],
    [true, 6],
  ]);
});

it('shows a single row in place of folding it', () => {
  const left = ['a', 'b', 'c', 'd', 'e'];
  expect(foldUnchanged(diffLines(left, left.with(4, 'x'))).map(({ isFolded }) => isFolded)).toEqual([false, false]);
});
