import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Grouped, type GroupLimits, type GroupRules } from './grouped.js';

class StoreDown extends Error {}

/** Groups whose runs end when the test ends them. */
class Harness {
  readonly groups: (readonly number[])[] = [];
  private readonly ends: (() => void)[] = [];
  failure: (items: readonly number[]) => Error | undefined = () => undefined;
  readonly grouped: Grouped<number, string>;

  constructor(limits: GroupLimits, rules: Omit<GroupRules<number>, 'mayBeOfOne'> = {}) {
    const run = async (items: readonly number[]) => {
      this.groups.push(items);
      await new Promise<void>((resolve) => this.ends.push(resolve));
      const failure = this.failure(items);
      if (failure) throw failure;
      return items.map((item) => `result ${item}`);
    };
    this.grouped = new Grouped(run, limits, { mayBeOfOne: (error) => !(error instanceof StoreDown), ...rules });
  }

  call(...items: readonly number[]): Promise<string>[] {
    return items.map((item) => this.grouped.call(item));
  }

  /** Ends the run that began first of those under way, and lets what follows begin. */
  async end(): Promise<void> {
    this.ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }

  async endAll(): Promise<void> {
    while (this.ends.length > 0) await this.end();
  }
}

/** Lets the calls of this turn begin. */
const begun = () => Promise.resolve();

describe('calls', () => {
  it('begin together when they arrive in one turn, and at once when nothing runs', async () => {
    const harness = new Harness({ groups: 1, items: 10 });
    const results = harness.call(1, 2, 3);
    await begun();
    expect(harness.groups).toEqual([[1, 2, 3]]);
    await harness.end();
    expect(await Promise.all(results)).toEqual(['result 1', 'result 2', 'result 3']);
    void harness.grouped.call(4);
    await begun();
    expect(harness.groups.at(-1)).toEqual([4]);
  });

  it('that arrive while a group runs form the next group', async () => {
    const harness = new Harness({ groups: 1, items: 10 });
    void harness.grouped.call(1);
    await begun();
    void harness.grouped.call(2);
    await begun();
    const results = harness.call(3, 4);
    await begun();
    expect(harness.groups).toEqual([[1]]);
    await harness.end();
    expect(harness.groups).toEqual([[1], [2, 3, 4]]);
    await harness.end();
    expect(await Promise.all(results)).toEqual(['result 3', 'result 4']);
  });

  it('run in at most so many groups of at most so many items', async () => {
    const harness = new Harness({ groups: 2, items: 3 });
    const results = harness.call(1, 2, 3, 4, 5, 6, 7);
    await begun();
    expect(harness.groups).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    await harness.end();
    expect(harness.groups.at(-1)).toEqual([7]);
    await harness.endAll();
    expect(await Promise.all(results)).toHaveLength(7);
  });
});

describe('a group with a weight', () => {
  const limits = { groups: 2, items: 10, weight: 10, patienceMs: 100 };

  it('has items up to the limit in order of arrival, or one that is heavier', async () => {
    const harness = new Harness({ ...limits, groups: 1 }, { weigh: (item) => item });
    const results = harness.call(4, 6, 1, 12, 2, 3);
    await begun();
    await harness.endAll();
    expect(harness.groups).toEqual([[4, 6], [1], [12], [2, 3]]);
    expect(await Promise.all(results)).toHaveLength(6);
  });

  it('begins beside another one when what waits is as heavy as a group', async () => {
    const harness = new Harness(limits, { weigh: (item) => item });
    void harness.call(1);
    await begun();
    void harness.call(9);
    await begun();
    expect(harness.groups).toEqual([[1]]);
    void harness.call(2);
    await begun();
    expect(harness.groups).toEqual([[1], [9]]);
    await harness.endAll();
  });
});

describe('a group that is not ready', () => {
  it('has an item that is in no other group', async () => {
    const asked: number[] = [];
    const ready = (first: number) => {
      asked.push(first);
      return new Promise<void>(() => {});
    };
    const harness = new Harness({ groups: 3, items: 10, weight: 1 }, { ready, weigh: () => 1 });
    void harness.call(1, 2);
    await begun();
    expect(asked).toEqual([1, 2]);
  });

  it('is joined by the calls that arrive before it begins', async () => {
    const waits: (() => void)[] = [];
    const asked: number[] = [];
    const ready = (first: number) => {
      asked.push(first);
      return new Promise<void>((resolve) => waits.push(resolve));
    };
    const harness = new Harness({ groups: 1, items: 2 }, { ready });
    void harness.call(1);
    await begun();
    void harness.call(2, 3);
    await begun();
    expect([asked, harness.groups]).toEqual([[1], []]);
    waits.shift()?.();
    await harness.end();
    expect(harness.groups).toEqual([[1, 2]]);
    await harness.end();
    expect(asked).toEqual([1, 3]);
    waits.shift()?.();
    await harness.end();
    expect(harness.groups).toEqual([[1, 2], [3]]);
    await harness.endAll();
  });
});

describe('a group beside another one', () => {
  const limits = { groups: 2, items: 3, patienceMs: 100 };
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('begins when it is full', async () => {
    const harness = new Harness(limits);
    void harness.grouped.call(1);
    await begun();
    void harness.call(2, 3);
    await begun();
    expect(harness.groups).toEqual([[1]]);
    void harness.grouped.call(4);
    await begun();
    expect(harness.groups).toEqual([[1], [2, 3, 4]]);
    // No third one, however long the others take.
    void harness.grouped.call(5);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(harness.groups).toHaveLength(2);
    await harness.end();
    expect(harness.groups.at(-1)).toEqual([5]);
  });

  it('begins when the other one is slow, and waits again for the one after that', async () => {
    const harness = new Harness(limits);
    void harness.grouped.call(1);
    await begun();
    void harness.grouped.call(2);
    await vi.advanceTimersByTimeAsync(99);
    expect(harness.groups).toEqual([[1]]);
    await vi.advanceTimersByTimeAsync(1);
    expect(harness.groups).toEqual([[1], [2]]);
    // The slow one ends: a call waits for the other one, which has just begun.
    await harness.end();
    void harness.grouped.call(3);
    await begun();
    expect(harness.groups).toHaveLength(2);
    await harness.end();
    expect(harness.groups.at(-1)).toEqual([3]);
    await harness.endAll();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('calls with an equal key', () => {
  it('are one call while they wait, and another one after their group has begun', async () => {
    const harness = new Harness({ groups: 1, items: 10 }, { key: (item) => item % 10 });
    const results = harness.call(1, 2, 11);
    await begun();
    expect(harness.groups).toEqual([[1, 2]]);
    const later = harness.call(21, 31);
    await begun();
    await harness.endAll();
    expect(harness.groups).toEqual([[1, 2], [21]]);
    expect(await Promise.all(results)).toEqual(['result 1', 'result 2', 'result 1']);
    expect(await Promise.all(later)).toEqual(['result 21', 'result 21']);
  });
});

describe('a group that fails', () => {
  it('is run again in halves: one item fails, the others do not', async () => {
    const harness = new Harness({ groups: 1, items: 10 });
    harness.failure = (items) => (items.includes(2) ? new RangeError('2 is bad') : undefined);
    const settled = Promise.allSettled(harness.call(1, 2, 3, 4, 5));
    await begun();
    await harness.endAll();
    expect(await settled).toEqual([
      { status: 'fulfilled', value: 'result 1' },
      { status: 'rejected', reason: new RangeError('2 is bad') },
      ...[3, 4, 5].map((item) => ({ status: 'fulfilled', value: `result ${item}` })),
    ]);
    // One after the other, in the place of the group.
    expect(harness.groups).toEqual([[1, 2, 3, 4, 5], [1, 2, 3], [1, 2], [1], [2], [3], [4, 5]]);
  });

  it('is not run again when the store is down: its load is not multiplied', async () => {
    const harness = new Harness({ groups: 1, items: 10 });
    harness.failure = () => new StoreDown();
    const settled = Promise.allSettled(harness.call(1, 2, 3));
    await begun();
    await harness.endAll();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(harness.groups).toEqual([[1, 2, 3]]);
  });

  it('gives up the rest when the store goes down while its halves run', async () => {
    const harness = new Harness({ groups: 1, items: 10 });
    harness.failure = (items) => (items.length > 1 ? new RangeError('bad') : new StoreDown());
    const settled = Promise.allSettled(harness.call(1, 2, 3));
    await begun();
    await harness.endAll();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(harness.groups).toEqual([[1, 2, 3], [1, 2], [1]]);
  });

  it('does not hold up later calls', async () => {
    const harness = new Harness({ groups: 1, items: 10 });
    harness.failure = (items) => (items.includes(1) ? new StoreDown() : undefined);
    const failing = Promise.allSettled(harness.call(1));
    await begun();
    const [later] = harness.call(2);
    await begun();
    await harness.endAll();
    expect((await failing)[0]?.status).toBe('rejected');
    expect(await later).toBe('result 2');
  });

  it('fails when its run returns another number of results', async () => {
    const grouped = new Grouped<number, number>(
      async (items) => (items.length > 1 ? [1] : items),
      { groups: 1, items: 10 },
      { mayBeOfOne: () => false },
    );
    const settled = await Promise.allSettled([grouped.call(1), grouped.call(2)]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
