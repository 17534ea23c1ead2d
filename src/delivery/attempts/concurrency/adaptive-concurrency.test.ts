import { expect, it } from 'vitest';
import { AdaptiveConcurrency } from './adaptive-concurrency.js';
import { WeightedSemaphore } from './weighted-semaphore.js';

const TIMEOUT_MS = 30_000;

/**
 * A worker that records its calls. test/delivery/unresponsive-targets.test.ts shows that a real one takes more jobs.
 */
function fakeWorker() {
  const calls: string[] = [];
  return {
    calls,
    concurrency: 2,
    async pause(doNotWaitActive?: boolean) {
      calls.push(`pause ${String(doNotWaitActive)}`);
    },
    async resume() {
      calls.push('resume');
    },
  };
}

it('adds a slot for each slow call, up to a limit, and removes it when the call ends', async () => {
  const worker = fakeWorker();
  const slots = new AdaptiveConcurrency(worker, 2, 4, new WeightedSemaphore(100), TIMEOUT_MS);
  const ends = [slots.reportSlow(1), slots.reportSlow(1), slots.reportSlow(1)];
  expect(worker.concurrency).toBe(4);
  ends[0]?.();
  expect(worker.concurrency).toBe(4);
  ends[1]?.();
  expect(worker.concurrency).toBe(3);
  ends[2]?.();
  expect(worker.concurrency).toBe(2);
  await new Promise(setImmediate);
  expect(worker.calls).toEqual(['pause true', 'pause true', 'resume', 'resume']);
});

it('adds a slot for the call that has waited longest as soon as bytes are released', () => {
  const budget = new WeightedSemaphore(100);
  const [one, two] = [fakeWorker(), fakeWorker()];
  const slotsOfOne = new AdaptiveConcurrency(one, 2, 20, budget, TIMEOUT_MS);
  const slotsOfTwo = new AdaptiveConcurrency(two, 2, 20, budget, TIMEOUT_MS);
  const endFirst = slotsOfOne.reportSlow(80);
  const endSecond = slotsOfTwo.reportSlow(60);
  const endThird = slotsOfOne.reportSlow(50);
  expect([one.concurrency, two.concurrency]).toEqual([3, 2]);
  endFirst();
  expect([one.concurrency, two.concurrency]).toEqual([2, 3]);
  endSecond();
  expect([one.concurrency, two.concurrency]).toEqual([3, 2]);
  endThird();
  const endLast = slotsOfTwo.reportSlow(100);
  expect([one.concurrency, two.concurrency]).toEqual([2, 3]);
  endLast();
  expect(two.concurrency).toBe(2);
});

it('keeps the added slot when another slow call of the same worker is granted the released bytes', async () => {
  const worker = fakeWorker();
  const slots = new AdaptiveConcurrency(worker, 2, 20, new WeightedSemaphore(100), TIMEOUT_MS);
  const endFirst = slots.reportSlow(80);
  const endSecond = slots.reportSlow(80);
  endFirst();
  expect(worker.concurrency).toBe(3);
  endSecond();
  expect(worker.concurrency).toBe(2);
  await new Promise(setImmediate);
  expect(worker.calls).toEqual(['pause true', 'resume']);
});

it('adds no slot for a call beyond the memory budget that all workers share', () => {
  const budget = new WeightedSemaphore(100);
  const [one, two] = [fakeWorker(), fakeWorker()];
  const endLarge = new AdaptiveConcurrency(one, 2, 20, budget, TIMEOUT_MS).reportSlow(80);
  const slots = new AdaptiveConcurrency(two, 2, 20, budget, TIMEOUT_MS);
  const endRefused = slots.reportSlow(30);
  const endSmall = slots.reportSlow(20);
  expect([one.concurrency, two.concurrency]).toEqual([3, 3]);
  endRefused();
  expect(two.concurrency).toBe(3);
  endLarge();
  const ends = [endSmall, slots.reportSlow(30), slots.reportSlow(50)];
  expect([one.concurrency, two.concurrency]).toEqual([2, 5]);
  for (const end of ends) end();
  expect(two.concurrency).toBe(2);
});

it('admits jobs of failing destinations with a slot of their own, up to a share of the additional slots', () => {
  const worker = fakeWorker();
  const slots = new AdaptiveConcurrency(worker, 2, 6, new WeightedSemaphore(100), TIMEOUT_MS);
  const admitted = Array.from({ length: 5 }, () => slots.admitFailing(1));
  expect(admitted.map((release) => release !== null)).toEqual([true, true, true, false, false]);
  expect(worker.concurrency).toBe(5);
  // A destination that stops to respond still finds a slot.
  const end = slots.reportSlow(1);
  expect(worker.concurrency).toBe(6);
  end();
  admitted[0]?.();
  expect(worker.concurrency).toBe(4);
  expect(slots.admitFailing(1)).not.toBeNull();
});

it('admits no job of a failing destination beyond the memory budget, and adds no slot for it', () => {
  const worker = fakeWorker();
  const slots = new AdaptiveConcurrency(worker, 2, 20, new WeightedSemaphore(100), TIMEOUT_MS);
  const end = slots.reportSlow(80);
  expect(slots.admitFailing(30)).toBeNull();
  expect(worker.concurrency).toBe(3);
  const release = slots.admitFailing(20);
  expect(worker.concurrency).toBe(4);
  release?.();
  end();
  expect(worker.concurrency).toBe(2);
  expect(slots.admitFailing(100)).not.toBeNull();
});
