import { afterEach, expect, test, vi } from 'vitest';
import { isStoreFailure } from '../database/store-failure.js';
import { Lookups } from './lookups.js';

afterEach(() => {
  vi.useRealTimers();
});

test('a lookup that waits for queries of a server that hangs is a store failure after ten seconds', async () => {
  vi.useFakeTimers();
  const asked: string[][] = [];
  const lookups = new Lookups<string, { readonly key: string }>(
    async (keys) => {
      asked.push([...keys]);
      return new Promise(() => {});
    },
    (key) => key,
  );
  const errors: Promise<unknown>[] = [];
  for (const key of ['1', '2', '3', '4', '5']) {
    errors.push(lookups.find(key).catch((error: unknown) => error));
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(12_000);
  expect(asked).toEqual([['1'], ['2'], ['3'], ['4']]);
  for (const error of await Promise.all(errors)) expect(isStoreFailure(error)).toBe(true);
});

test('calls that arrive during a query share the next one', async () => {
  const asked: string[][] = [];
  const lookups = new Lookups<string, { readonly key: string } | null>(
    async (keys) => {
      asked.push([...keys]);
      return keys.map((key) => (key === 'none' ? null : { key }));
    },
    (key) => key,
  );
  const first = lookups.find('a');
  await Promise.resolve();
  const found = await Promise.all([first, ...['b', 'none', 'b'].map(async (key) => lookups.find(key))]);
  expect(found).toEqual([{ key: 'a' }, { key: 'b' }, null, { key: 'b' }]);
  expect(asked).toEqual([['a'], ['b', 'none']]);
});
