import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { thisMoment } from '../../timing/moment.js';
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
  epochs: { epoch: 1, firstSequence: 1, earlier: null },
  attempt: 1,
  failures: 0,
  resumeAt: null,
  latestTimestampMs: 0,
  projected: false,
  pauses: null,
  behindFrom: null,
};

describe('LeaseKeeper', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  const keep = (renew: () => Promise<boolean>, agoMs = 0) => {
    const call = new AbortController();
    const now = thisMoment();
    const requestedAt = { monotonicMs: now.monotonicMs - agoMs, wallMs: now.wallMs - agoMs };
    const keeper = new LeaseKeeper({ renew }, lease, requestedAt, call);
    return { keeper, signal: call.signal };
  };
  const neverResolves = (): Promise<boolean> => new Promise(() => {});

  it('does not abort the call while the lease is renewed', async () => {
    const { keeper, signal } = keep(() => Promise.resolve(true));
    await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(signal.aborted).toBe(false);
    keeper.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('aborts the call before it starts when the lease is about to expire', () => {
    const { keeper, signal } = keep(() => Promise.resolve(true), LEASE_MS - 2_000);
    expect(signal.aborted).toBe(true);
    keeper.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('aborts the call when the lease was lost', async () => {
    const { keeper, signal } = keep(() => Promise.resolve(false));
    await vi.advanceTimersByTimeAsync(LEASE_MS / 5);
    expect(signal.aborted).toBe(true);
    keeper.stop();
  });

  it.each([
    ['fails', () => Promise.reject(new Error('connection refused'))],
    ['hangs', neverResolves],
  ])('aborts the call before the lease expires when its renewal %s', async (_, renew) => {
    const { keeper, signal } = keep(renew);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
    expect(signal.aborted).toBe(false);
    // An aborted call may take two seconds to return (GRACE_MS in timed-call.ts).
    await vi.advanceTimersByTimeAsync(LEASE_MS / 2 - 2_000);
    expect(signal.aborted).toBe(true);
    keeper.stop();
  });

  it.each([
    ['the process was stopped', () => vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 20_000)],
    ['the machine was suspended', () => vi.setSystemTime(Date.now() + 20_000)],
  ])('lets no call begin after the lease when %s, before any timer fires', (_, pause) => {
    const { keeper, signal } = keep(neverResolves);
    expect(() => signal.throwIfAborted()).not.toThrow();
    pause();
    expect(() => signal.throwIfAborted()).toThrow('aborted');
    expect(signal.aborted).toBe(true);
    keeper.stop();
  });

  it('counts a clock that is set back by the other clock', async () => {
    const { keeper, signal } = keep(neverResolves);
    vi.setSystemTime(Date.now() - 3_600_000);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
    expect(signal.aborted).toBe(true);
    keeper.stop();
  });

  it('leaves no timer behind when a renewal succeeds after the attempt', async () => {
    const responses: ((renewed: boolean) => void)[] = [];
    const { keeper } = keep(() => new Promise((resolve) => responses.push(resolve)));
    await vi.advanceTimersByTimeAsync(LEASE_MS / 5);
    keeper.stop();
    responses[0]?.(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('counts from the latest renewal, not from an earlier one whose response is late', async () => {
    const responses: ((renewed: boolean) => void)[] = [];
    const { keeper, signal } = keep(() => new Promise((resolve) => responses.push(resolve)));
    const step = LEASE_MS / 5;
    await vi.advanceTimersByTimeAsync(2 * step);
    responses[1]?.(true);
    await vi.advanceTimersByTimeAsync(step / 2);
    responses[0]?.(true);
    await vi.advanceTimersByTimeAsync(2 * step);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(2 * step);
    expect(signal.aborted).toBe(true);
    keeper.stop();
  });
});
