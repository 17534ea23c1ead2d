import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withTimeout } from './with-timeout.js';

describe('withTimeout', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const answerAfter = (ms: number, error?: Error) =>
    new Promise<string>((resolve, reject) => {
      setTimeout(() => (error ? reject(error) : resolve('an answer')), ms);
    });

  it('gives what comes in time, and leaves no timer behind', async () => {
    const answer = withTimeout(answerAfter(99), 100);
    await vi.advanceTimersByTimeAsync(99);
    expect(await answer).toBe('an answer');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives what has come already, even where there is no time at all', async () => {
    const answer = withTimeout(Promise.resolve('an answer'), 0);
    await vi.advanceTimersByTimeAsync(0);
    expect(await answer).toBe('an answer');
  });

  it('gives nothing once the time is over, and not before', async () => {
    const ended = vi.fn<(answer: string | undefined) => void>();
    void withTimeout(answerAfter(1_000), 100).then(ended);
    await vi.advanceTimersByTimeAsync(99);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledExactlyOnceWith(undefined);
  });

  it('fails as the promise does, and leaves no timer behind', async () => {
    await expect(withTimeout(Promise.reject(new Error('refused')), 100)).rejects.toThrow('refused');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('drops a failure that comes too late', async () => {
    const answer = withTimeout(answerAfter(200, new Error('refused')), 100);
    // Nobody would handle the rejection otherwise, which fails the run.
    await vi.advanceTimersByTimeAsync(300);
    expect(await answer).toBeUndefined();
  });
});
