import { afterEach, describe, expect, it, vi } from 'vitest';
import { SharedLookups } from './shared-lookups.js';

/** Lookups that end when they are told to, in the order in which they began. */
function controlled() {
  const begun: { end: (answer: string) => void; fail: (error: Error) => void }[] = [];
  const lookup = () => new Promise<string>((resolve, reject) => begun.push({ end: resolve, fail: reject }));
  return { begun, lookup };
}

/** Lets everything run that needs no time. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('shared lookups', () => {
  afterEach(() => void vi.useRealTimers());

  it('never answer with a lookup that began before the question was asked', async () => {
    const { begun, lookup } = controlled();
    const lookups = new SharedLookups<string>();
    const early = lookups.ask('key', lookup);
    const late = lookups.ask('key', lookup);
    begun[0]?.end('before');
    await settle();
    begun[1]?.end('after');
    expect(await Promise.all([early, late])).toEqual(['before', 'after']);
  });

  it('are put once for everybody who asks while one is under way', async () => {
    const { begun, lookup } = controlled();
    const lookups = new SharedLookups<string>();
    const first = lookups.ask('key', lookup);
    const others = Array.from({ length: 10 }, () => lookups.ask('key', lookup));
    begun[0]?.end('first');
    await settle();
    expect(begun).toHaveLength(2);
    begun[1]?.end('shared');
    expect(await Promise.all([first, ...others])).toEqual(['first', ...others.map(() => 'shared')]);
  });

  it('begin at once when none is under way, and for different questions side by side', async () => {
    const { begun, lookup } = controlled();
    const lookups = new SharedLookups<string>();
    const one = lookups.ask('one', lookup);
    const other = lookups.ask('other', lookup);
    expect(begun).toHaveLength(2);
    for (const { end } of begun) end('answer');
    expect(await Promise.all([one, other])).toEqual(['answer', 'answer']);
    const again = lookups.ask('one', lookup);
    expect(begun).toHaveLength(3);
    begun[2]?.end('again');
    expect(await again).toBe('again');
  });

  it('fail for those who share one that fails, and go on after it', async () => {
    const { begun, lookup } = controlled();
    const lookups = new SharedLookups<string>();
    const first = lookups.ask('key', lookup);
    const second = lookups.ask('key', lookup);
    begun[0]?.fail(new Error('lost'));
    await expect(first).rejects.toThrow('lost');
    await settle();
    begun[1]?.end('found');
    expect(await second).toBe('found');
  });

  it('do not wait for one that hangs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { begun, lookup } = controlled();
    const lookups = new SharedLookups<string>();
    void lookups.ask('key', lookup);
    const second = lookups.ask('key', lookup);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(begun).toHaveLength(2);
    begun[1]?.end('found');
    expect(await second).toBe('found');
  });
});
