import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Lease } from '../lanes/lane.js';
import { LEASE_MS, LeaseKeeper } from './lease-keeper.js';

const lease: Lease = {
  destinationId: 'ed_1',
  batchId: 'bat_1',
  token: 'att_1',
  accountId: 'acc_1',
  targetKind: 'data_stream',
  version: 1,
  deliveryIds: '{1}',
  firstSequence: 1,
  attempt: 1,
  failures: 0,
  resumeAt: null,
};

describe('the lease of an attempt', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const keep = (renew: () => Promise<boolean>, agoMs = 0) => {
    const call = new AbortController();
    const keeper = new LeaseKeeper({ renew }, lease, performance.now() - agoMs, call);
    return { keeper, signal: call.signal };
  };
  const neverAnswers = (): Promise<boolean> => new Promise(() => {});

  it('is kept for as long as it is renewed', async () => {
    const { keeper, signal } = keep(() => Promise.resolve(true));
    await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(signal.aborted).toBe(false);
    keeper.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends the call before it begins when the lease took so long to get that it is about to run out', () => {
    const { keeper, signal } = keep(() => Promise.resolve(true), LEASE_MS - 2_000);
    expect(signal.aborted).toBe(true);
    keeper.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends the call when another attempt has it', async () => {
    const { keeper, signal } = keep(() => Promise.resolve(false));
    await vi.advanceTimersByTimeAsync(LEASE_MS / 5);
    expect(signal.aborted).toBe(true);
    keeper.stop();
  });

  it.each([
    ['fails', () => Promise.reject(new Error('connection refused'))],
    ['gets no answer', neverAnswers],
  ])('ends the call before it runs out when renewing it %s', async (_, renew) => {
    const { keeper, signal } = keep(renew);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
    expect(signal.aborted).toBe(false);
    // Two seconds is what a call may take to notice that it was ended (GRACE_MS in timed-call.ts).
    await vi.advanceTimersByTimeAsync(LEASE_MS / 2 - 2_000);
    expect(signal.aborted).toBe(true);
    keeper.stop();
  });

  it('leaves nothing behind when a renewal is answered after the end of the attempt', async () => {
    const answers: ((renewed: boolean) => void)[] = [];
    const { keeper } = keep(() => new Promise((resolve) => answers.push(resolve)));
    await vi.advanceTimersByTimeAsync(LEASE_MS / 5);
    keeper.stop();
    answers[0]?.(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('counts from the last renewal that was answered, not from one that is answered late', async () => {
    const answers: ((renewed: boolean) => void)[] = [];
    const { keeper, signal } = keep(() => new Promise((resolve) => answers.push(resolve)));
    const step = LEASE_MS / 5;
    await vi.advanceTimersByTimeAsync(2 * step);
    answers[1]?.(true);
    await vi.advanceTimersByTimeAsync(step / 2);
    answers[0]?.(true);
    await vi.advanceTimersByTimeAsync(2 * step);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(2 * step);
    expect(signal.aborted).toBe(true);
    keeper.stop();
  });
});
