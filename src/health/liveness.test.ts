import { afterEach, describe, expect, it, vi } from 'vitest';
import { Liveness } from './liveness.js';

afterEach(() => void vi.useRealTimers());

describe('Liveness', () => {
  it('is alive while the timer fires, even without work', () => {
    const liveness = new Liveness(1_000, 5_000, 0);
    for (let now = 500; now < 20_000; now += 500) liveness.ticked(now);
    expect(liveness.stallReason(20_400)).toBeNull();
  });

  it('is not alive once the timer has stopped', () => {
    const liveness = new Liveness(1_000, 5_000, 0);
    expect(liveness.stallReason(1_000)).toBeNull();
    expect(liveness.stallReason(1_001)).toBe('the worker’s timer does not fire');
  });

  it('is not alive while one attempt exceeds its limit, although others finish', () => {
    const liveness = new Liveness(1_000, 5_000, 0);
    liveness.attemptStarted('stuck', 0);
    for (let now = 100; now < 6_000; now += 100) {
      liveness.attemptStarted(`att_${now}`, now);
      liveness.finished(`att_${now}`);
      liveness.ticked(now);
    }
    expect(liveness.stallReason(5_950)).toBe('a delivery attempt does not end');
    liveness.finished('stuck');
    expect(liveness.stallReason(6_000)).toBeNull();
  });

  it('stays alive when the clock of the machine is set', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const liveness = new Liveness(1_000_000, 5_000_000);
    liveness.attemptStarted('att');
    vi.setSystemTime(Date.now() + 86_400_000);
    expect(liveness.stallReason()).toBeNull();
  });

  it('is not alive once a loop has stopped, and is alive while it only pauses', () => {
    const liveness = new Liveness(1_000, 5_000, 0);
    liveness.loopRuns('the worker for log_group', 0);
    liveness.loopRuns('the worker for monitoring', 0);
    for (let now = 100; now <= 1_100; now += 100) {
      liveness.ticked(now);
      liveness.loopRuns('the worker for monitoring', now);
    }
    expect(liveness.stallReason(1_000)).toBeNull();
    expect(liveness.stallReason(1_100)).toBe('the worker for log_group has stopped');
    liveness.loopRuns('the worker for log_group', 1_100);
    expect(liveness.stallReason(1_100)).toBeNull();
  });

  it('is not alive while a maintenance task makes no progress, and is alive while a long one does', () => {
    const liveness = new Liveness(1_000_000, 5_000, 0);
    liveness.taskStarted('sweep', 10_000, 0);
    expect(liveness.stallReason(10_000)).toBeNull();
    expect(liveness.stallReason(10_001)).toBe('the maintenance task sweep does not end');
    liveness.progressed('sweep', 9_000);
    expect(liveness.stallReason(15_000)).toBeNull();
    liveness.finished('sweep');
    expect(liveness.stallReason(100_000)).toBeNull();
  });
});
