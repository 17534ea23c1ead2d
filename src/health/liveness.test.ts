import { afterEach, describe, expect, it, vi } from 'vitest';
import { Liveness } from './liveness.js';

afterEach(() => void vi.useRealTimers());

describe('Liveness', () => {
  it('is alive while the timer fires, even without work', () => {
    const liveness = new Liveness(1_000, 5_000, 0);
    for (let now = 500; now < 20_000; now += 500) liveness.ticked(now);
    expect(liveness.report(20_400)).toEqual({ alive: true, detail: null });
  });

  it('is not alive once the timer has stopped', () => {
    const liveness = new Liveness(1_000, 5_000, 0);
    expect(liveness.report(1_000).alive).toBe(true);
    expect(liveness.report(1_001)).toMatchObject({ alive: false, detail: expect.stringContaining('timer') });
  });

  it('is not alive while one attempt exceeds its limit, although others finish', () => {
    const liveness = new Liveness(1_000, 5_000, 0);
    liveness.attemptStarted('stuck', 0);
    for (let now = 100; now < 6_000; now += 100) {
      liveness.attemptStarted(`att_${now}`, now);
      liveness.finished(`att_${now}`);
      liveness.ticked(now);
    }
    expect(liveness.report(5_950).alive).toBe(false);
    liveness.finished('stuck');
    expect(liveness.report(6_000)).toEqual({ alive: true, detail: null });
  });

  it('stays alive when the clock of the machine is set', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const liveness = new Liveness(1_000_000, 5_000_000);
    liveness.attemptStarted('att');
    vi.setSystemTime(Date.now() + 86_400_000);
    expect(liveness.report()).toEqual({ alive: true, detail: null });
  });

  it('is not alive once a loop has stopped, and is alive while it only pauses', () => {
    const liveness = new Liveness(1_000, 5_000, 0);
    liveness.loopRuns('the worker for log_group', 0);
    liveness.loopRuns('the worker for monitoring', 0);
    for (let now = 100; now <= 1_100; now += 100) {
      liveness.ticked(now);
      liveness.loopRuns('the worker for monitoring', now);
    }
    expect(liveness.report(1_000).alive).toBe(true);
    expect(liveness.report(1_100)).toMatchObject({
      alive: false,
      detail: 'the worker for log_group has stopped',
    });
    liveness.loopRuns('the worker for log_group', 1_100);
    expect(liveness.report(1_100).alive).toBe(true);
  });

  it('is not alive while a maintenance task makes no progress, and is alive while a long one does', () => {
    const liveness = new Liveness(1_000_000, 5_000, 0);
    liveness.taskStarted('sweep', 10_000, 0);
    expect(liveness.report(10_000).alive).toBe(true);
    expect(liveness.report(10_001).detail).toBe('the maintenance task sweep does not end');
    liveness.progressed('sweep', 9_000);
    expect(liveness.report(15_000).alive).toBe(true);
    liveness.finished('sweep');
    expect(liveness.report(100_000).alive).toBe(true);
  });
});
