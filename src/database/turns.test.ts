import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Turns } from './turns.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('lets so many callers go at once, and the others in order', async () => {
  const turns = new Turns({ connections: 2, waitMs: 1_000 });
  const went: number[] = [];
  const all = [1, 2, 3, 4].map(async (caller) => {
    await turns.take();
    went.push(caller);
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(went).toEqual([1, 2]);
  turns.release();
  await vi.advanceTimersByTimeAsync(0);
  expect(went).toEqual([1, 2, 3]);
  turns.release();
  await Promise.all(all);
  expect(went).toEqual([1, 2, 3, 4]);
});

it('fails a caller that waits too long, and passes the turn to the next', async () => {
  const turns = new Turns({ connections: 1, waitMs: 1_000 });
  await turns.take();
  const late = turns.take().catch((error: unknown) => String(error));
  await vi.advanceTimersByTimeAsync(500);
  const next = turns.take();
  await vi.advanceTimersByTimeAsync(500);
  expect(await late).toBe('Error: No connection of this share was free for 1 s.');
  turns.release();
  await next;
  turns.release();
  await turns.take();
});
