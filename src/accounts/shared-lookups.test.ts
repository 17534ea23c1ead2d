import { afterEach, describe, expect, it, vi } from 'vitest';
import { SharedLookups } from './shared-lookups.js';

/** Lookups that the test ends, in the order of their starts. */
function controlled() {
  const begun: { end: (response: string) => void; fail: (error: Error) => void }[] = [];
  const lookup = () => new Promise<string>((resolve, reject) => begun.push({ end: resolve, fail: reject }));
  return { begun, lookup };
}

/** Runs the pending microtasks. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('shared lookups', () => {
  afterEach(() => void vi.useRealTimers());

  it('never return the result of a lookup that began before the call', async () => {
    const { begun, lookup } = controlled();
    const lookups = new SharedLookups<string>();
    const early = lookups.run('key', lookup);
    const late = lookups.run('key', lookup);
    begun[0]?.end('before');
    await settle();
    begun[1]?.end('after');
    expect(await Promise.all([early, late])).toEqual(['before', 'after']);
  });

  it('run once for all calls during a lookup', async () => {
    const { begun, lookup } = controlled();
    const lookups = new SharedLookups<string>();
    const first = lookups.run('key', lookup);
    const others = Array.from({ length: 10 }, () => lookups.run('key', lookup));
    begun[0]?.end('first');
    await settle();
    expect(begun).toHaveLength(2);
    begun[1]?.end('shared');
    expect(await Promise.all([first, ...others])).toEqual(['first', ...others.map(() => 'shared')]);
  });

  it('begin at once when none is running, and concurrently for different keys', async () => {
    const { begun, lookup } = controlled();
    const lookups = new SharedLookups<string>();
    const one = lookups.run('one', lookup);
    const other = lookups.run('other', lookup);
    expect(begun).toHaveLength(2);
    for (const { end } of begun) end('found');
    expect(await Promise.all([one, other])).toEqual(['found', 'found']);
    const again = lookups.run('one', lookup);
    expect(begun).toHaveLength(3);
    begun[2]?.end('again');
    expect(await again).toBe('again');
  });

  it('reject for every call that shares a failed lookup, and work again after it', async () => {
    const { begun, lookup } = controlled();
    const lookups = new SharedLookups<string>();
    const first = lookups.run('key', lookup);
    const second = lookups.run('key', lookup);
    begun[0]?.fail(new Error('lost'));
    await expect(first).rejects.toThrow('lost');
    await settle();
    begun[1]?.end('found');
    expect(await second).toBe('found');
  });

  it('do not wait for a hung lookup', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { begun, lookup } = controlled();
    const lookups = new SharedLookups<string>();
    void lookups.run('key', lookup);
    const second = lookups.run('key', lookup);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(begun).toHaveLength(2);
    begun[1]?.end('found');
    expect(await second).toBe('found');
  });
});
