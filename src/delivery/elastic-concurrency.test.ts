import { expect, it } from 'vitest';
import { ElasticConcurrency } from './elastic-concurrency.js';

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
  const places = new ElasticConcurrency(worker, 2, 4);
  const ends = [places.slow(), places.slow(), places.slow()];
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
