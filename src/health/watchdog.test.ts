import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startWatchdog } from './watchdog.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('fails once when the worker stays stalled, and not when it recovers', () => {
  let detail: string | null = 'the maintenance task sweep does not end';
  const errors: string[] = [];
  const stop = startWatchdog(
    () => detail,
    ({ message }) => errors.push(message),
  );
  vi.advanceTimersByTime(30_000);
  detail = null;
  vi.advanceTimersByTime(60_000);
  expect(errors).toEqual([]);
  detail = 'the worker for log_group has stopped';
  vi.advanceTimersByTime(120_000);
  expect(errors).toEqual(['The worker makes no progress: the worker for log_group has stopped.']);
  stop();
});

it('leaves no timer behind when it is stopped', () => {
  const stop = startWatchdog(
    () => null,
    () => {},
  );
  stop();
  expect(vi.getTimerCount()).toBe(0);
});
