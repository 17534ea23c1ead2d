import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../logging/logger.js';
import { unobserved } from '../delivery-observer.js';
import type { Queues } from '../queues/queues.js';
import { DeadWorkers } from './dead-workers.js';

const batches = Array.from({ length: 45 }, (_, number) => ({
  destinationId: `ed_${number}`,
  batchId: `bat_${number}`,
  targetKind: 'data_stream' as const,
  failures: 0,
}));

describe('DeadWorkers', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('adds every job and sweeps, although the queue store fails at first', async () => {
    const added = new Set<string>();
    const sweeps: string[] = [];
    let isDown = true;
    let tries = 0;
    const add = async (_name: string, _data: unknown, { jobId }: { readonly jobId: string }) => {
      tries += 1;
      if (isDown && tries > 25) throw new Error('connection lost');
      added.add(jobId);
      return { id: jobId };
    };
    let ends = 0;
    const workers = new DeadWorkers({
      presence: { missing: async () => [{ id: 7, instance: 'worker-1' }] },
      // The leases can be ended once only.
      store: { endLeases: async () => ((ends += 1) === 1 ? batches : null) },
      sweeps: { eventsOfBatch: async () => [{ id: 'evt_1', type: 'ip_policy_created.v0', sequence: 1 }] },
      queues: { queue: () => ({ add }) } as unknown as Queues,
      sweepAfter: async (death) => {
        sweeps.push(death);
        return { dispatched: 0, rebuilt: 0, promoted: 0, raised: 0, expired: 0 };
      },
      observer: unobserved,
      logger: createLogger('silent', { write: () => undefined }),
    });
    workers.start();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(added.size).toBeLessThan(45);
    expect(sweeps).toEqual([]);
    isDown = false;
    await vi.advanceTimersByTimeAsync(3_000);
    expect([...added]).toEqual(expect.arrayContaining(batches.map(({ batchId }) => `${batchId}.7`)));
    expect(added.size).toBe(45);
    expect(sweeps).toEqual(['7']);
    await workers.stop();
  });
});
