import { expect, it } from 'vitest';
import { observed } from './reading.js';

async function* chunks() {
  yield Buffer.from('12');
  yield Buffer.from('345');
}

function observer() {
  const calls: unknown[] = [];
  return {
    calls,
    begun: () => void calls.push('begun'),
    ended: (bytes: number, outcome: string) => void calls.push([bytes, outcome]),
  };
}

it('tells that the whole content was read, with its bytes', async () => {
  const seen = observer();
  const parts: string[] = [];
  for await (const part of observed(chunks(), seen)) parts.push(part.toString());
  expect(parts).toEqual(['12', '345']);
  expect(seen.calls).toEqual(['begun', [5, 'complete']]);
});

it('tells that the reader has ended it', async () => {
  const seen = observer();
  for await (const part of observed(chunks(), seen)) if (part.length === 2) break;
  expect(seen.calls).toEqual(['begun', [2, 'interrupted']]);
});

it('tells that the content could not be read', async () => {
  const seen = observer();
  async function* broken() {
    yield 'é';
    throw new Error('away');
  }
  const read = async () => {
    for await (const part of observed(broken(), seen)) expect(part).toBe('é');
  };
  await expect(read()).rejects.toThrow('away');
  expect(seen.calls).toEqual(['begun', [2, 'interrupted']]);
});

it('tells nothing about content that nobody reads', () => {
  const seen = observer();
  observed(chunks(), seen);
  expect(seen.calls).toEqual([]);
});
