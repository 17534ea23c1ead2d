import { expect, it, vi } from 'vitest';
import { createLogger } from '../logging/logger.js';
import { rowPruning } from './row-pruning.js';

const control = { stopped: new AbortController().signal, progressed: () => {} };

it('deletes full pages until one is not full, and logs the sum', async () => {
  const logger = createLogger('silent');
  const info = vi.spyOn(logger, 'info');
  let left = 1_003;
  const prune = vi.fn<(size: number) => Promise<number>>(async (size) => {
    const removed = Math.min(size, left);
    left -= removed;
    return removed;
  });
  const task = rowPruning('notes', 'pruned notes', logger, prune);
  await task.run(control);
  expect([left, prune.mock.calls.length]).toEqual([0, 3]);
  await task.run(control);
  expect(info.mock.calls).toEqual([[{ removed: 1_003 }, 'pruned notes']]);
});
