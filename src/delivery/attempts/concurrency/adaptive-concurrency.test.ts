import { expect, it } from 'vitest';
import { WeightedSemaphore } from './weighted-semaphore.js';
import { AdaptiveConcurrency } from './adaptive-concurrency.js';

/** Records what is asked of a worker; that a real one takes more jobs then is shown in test/delivery/black-holes.test.ts. */
function recorder() {
  const asked: string[] = [];
  return {
    asked,
    concurrency: 2,
    async pause(doNotWaitActive?: boolean) {
      asked.push(`pause ${String(doNotWaitActive)}`);
    },
    async resume() {
      asked.push('resume');
    },
  };
}

it('lends a place for each slow attempt, up to a limit, and takes them back', async () => {
  const worker = recorder();
  const places = new AdaptiveConcurrency(worker, 2, 4, new WeightedSemaphore(100));
  const ends = [places.slow(1), places.slow(1), places.slow(1)];
  expect(worker.concurrency).toBe(4);
  ends[0]?.();
  expect(worker.concurrency).toBe(4);
  ends[1]?.();
  expect(worker.concurrency).toBe(3);
  ends[2]?.();
  expect(worker.concurrency).toBe(2);
  await new Promise(setImmediate);
  expect(worker.asked).toEqual(['pause true', 'pause true', 'resume', 'resume']);
});

it('lends a place as soon as others have given back what a slow attempt was refused, to whoever asked first', () => {
  const budget = new WeightedSemaphore(100);
  const [one, other] = [recorder(), recorder()];
  const places = new AdaptiveConcurrency(one, 2, 20, budget);
  const others = new AdaptiveConcurrency(other, 2, 20, budget);
  const endOfFirst = places.slow(80);
  const endOfSecond = others.slow(60);
  const endOfThird = places.slow(50);
  expect([one.concurrency, other.concurrency]).toEqual([3, 2]);
  endOfFirst();
  expect([one.concurrency, other.concurrency]).toEqual([2, 3]);
  endOfSecond();
  expect([one.concurrency, other.concurrency]).toEqual([3, 2]);
  endOfThird();
  const endOfAll = others.slow(100);
  expect([one.concurrency, other.concurrency]).toEqual([2, 3]);
  endOfAll();
  expect(other.concurrency).toBe(2);
});

it('goes on with one place lent where one slow attempt of a worker gives back what another has waited for', async () => {
  const worker = recorder();
  const places = new AdaptiveConcurrency(worker, 2, 20, new WeightedSemaphore(100));
  const endOfFirst = places.slow(80);
  const endOfSecond = places.slow(80);
  endOfFirst();
  expect(worker.concurrency).toBe(3);
  endOfSecond();
  expect(worker.concurrency).toBe(2);
  await new Promise(setImmediate);
  expect(worker.asked).toEqual(['pause true', 'resume']);
});

it('lends no place for what is beyond the memory that all slow attempts share', () => {
  const budget = new WeightedSemaphore(100);
  const [one, other] = [recorder(), recorder()];
  const endOfLarge = new AdaptiveConcurrency(one, 2, 20, budget).slow(80);
  const places = new AdaptiveConcurrency(other, 2, 20, budget);
  const endOfRefused = places.slow(30);
  const endOfSmall = places.slow(20);
  expect([one.concurrency, other.concurrency]).toEqual([3, 3]);
  endOfRefused();
  expect(other.concurrency).toBe(3);
  endOfLarge();
  const ends = [endOfSmall, places.slow(30), places.slow(50)];
  expect([one.concurrency, other.concurrency]).toEqual([2, 5]);
  for (const end of ends) end();
  expect(other.concurrency).toBe(2);
});
