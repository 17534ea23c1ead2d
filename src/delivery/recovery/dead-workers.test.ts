import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../logging/logger.js';
import { unobserved } from '../delivery-observer.js';
import type { Queues } from '../queues/queues.js';
import { DeadWorkers, type DeadWorkersParts } from './dead-workers.js';
import { usualPresenceTimes } from './worker-presence.js';

const batches = Array.from({ length: 45 }, (_, number) => ({
  destinationId: `ed_${number}`,
  batchId: `bat_${number}`,
  targetKind: 'data_stream' as const,
  failures: 0,
}));

/** Looks for dead workers with these parts. The others find and do nothing. */
function deadWorkers(parts: Partial<DeadWorkersParts>): DeadWorkers {
  return new DeadWorkers({
    presence: { tried: Promise.resolve(), missing: async () => [] },
    store: { endLeases: async () => null },
    lanes: { eventsOf: async () => [] },
    queues: {} as Queues,
    sweeper: { sweepAfter: async () => {} },
    observer: unobserved,
    times: usualPresenceTimes,
    logger: createLogger('silent', { write: () => undefined }),
    ...parts,
  });
}

/** The session of a worker, which the test opens. */
function session() {
  let open = (): void => {};
  const tried = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { tried, open: () => open() };
}

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
    const workers = deadWorkers({
      presence: { tried: Promise.resolve(), missing: async () => [{ id: 7, instance: 'worker-1' }] },
      // The leases can be ended once only.
      store: { endLeases: async () => ((ends += 1) === 1 ? batches : null) },
      lanes: { eventsOf: async () => [{ id: 'evt_1', type: 'ip_policy_created.v0', sequence: 1 }] },
      queues: { queue: () => ({ add }) } as unknown as Queues,
      sweeper: { sweepAfter: async ({ name }) => void sweeps.push(name) },
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

  it('looks at once when its session is open, and ends the leases after the second look', async () => {
    const calls: string[] = [];
    const { tried, open } = session();
    const missing = async () => {
      calls.push('look');
      return [{ id: 7, instance: 'worker-1' }];
    };
    const endLeases = async () => {
      calls.push('end');
      return [];
    };
    const workers = deadWorkers({ presence: { tried, missing }, store: { endLeases } });
    workers.start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls).toEqual([]);
    open();
    await vi.advanceTimersByTimeAsync(0);
    expect(calls).toEqual(['look']);
    await vi.advanceTimersByTimeAsync(usualPresenceTimes.confirmMs);
    expect(calls).toEqual(['look', 'look', 'end']);
    await workers.stop();
  });

  it('ends no lease of a worker that is missing in one look and back in the next, however often', async () => {
    let looks = 0;
    let ends = 0;
    const missing = async () => ((looks += 1) % 2 === 1 ? [{ id: 7, instance: 'worker-1' }] : []);
    const endLeases = async () => {
      ends += 1;
      return [];
    };
    const workers = deadWorkers({ presence: { tried: Promise.resolve(), missing }, store: { endLeases } });
    workers.start();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(looks).toBeGreaterThan(20);
    expect(ends).toBe(0);
    await workers.stop();
  });

  it('does not look when it was stopped before its session was open', async () => {
    let looks = 0;
    const missing = async () => {
      looks += 1;
      return [];
    };
    const { tried, open } = session();
    const workers = deadWorkers({ presence: { tried, missing } });
    workers.start();
    await workers.stop();
    open();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(looks).toBe(0);
  });
});
