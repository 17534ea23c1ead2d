import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withTimeout } from './with-timeout.js';

describe('withTimeout', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const valueAfter = (ms: number, error?: Error) =>
    new Promise<string>((resolve, reject) => {
      setTimeout(() => (error ? reject(error) : resolve('a value')), ms);
    });

  it('returns a value that arrives in time, and leaves no timer behind', async () => {
    const result = withTimeout(valueAfter(99), 100);
    await vi.advanceTimersByTimeAsync(99);
    expect(await result).toBe('a value');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('returns a value that is there already, even with a timeout of 0', async () => {
    const result = withTimeout(Promise.resolve('a value'), 0);
    await vi.advanceTimersByTimeAsync(0);
    expect(await result).toBe('a value');
  });

  it('returns undefined at the timeout, and not before', async () => {
    const ended = vi.fn<(value: string | undefined) => void>();
    void withTimeout(valueAfter(1_000), 100).then(ended);
    await vi.advanceTimersByTimeAsync(99);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledExactlyOnceWith(undefined);
  });

  it('rejects as the promise does, and leaves no timer behind', async () => {
    await expect(withTimeout(Promise.reject(new Error('refused')), 100)).rejects.toThrow('refused');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ignores a rejection after the timeout', async () => {
    const result = withTimeout(valueAfter(200, new Error('refused')), 100);
    // An unhandled rejection would fail the test run.
    await vi.advanceTimersByTimeAsync(300);
    expect(await result).toBeUndefined();
  });
});
