import { expect, it } from 'vitest';
import { readLines } from './read-lines.js';

async function linesOf(pieces: readonly string[]): Promise<readonly string[]> {
  const lines: string[] = [];
  const text = new ReadableStream<string>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  await readLines('a.ndjson', text, (line) => lines.push(line));
  return lines;
}

it('reads the same lines, wherever the pieces end', async () => {
  const text = '{"a":1}\n\n{"b":2}\nlast';
  const expected = ['{"a":1}', '', '{"b":2}', 'last'];
  expect(await linesOf([text])).toEqual(expected);
  expect(await linesOf(text.split(''))).toEqual(expected);
  expect(await linesOf(['{"a":1}\n\n{', '"b":2}', '\nla', 'st'])).toEqual(expected);
});

it('reads no line after the last line feed, and none of an empty file', async () => {
  expect(await linesOf(['a\n'])).toEqual(['a']);
  expect(await linesOf([])).toEqual([]);
});

it('stops at a line that is too long for any event', async () => {
  const piece = 'x'.repeat(1_000_000);
  await expect(linesOf(Array.from({ length: 40 }, () => piece))).rejects.toThrow('a.ndjson, line 1 is too long. ');
});
