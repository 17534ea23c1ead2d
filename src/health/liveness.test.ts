import { describe, expect, it } from 'vitest';
import { Liveness } from './liveness.js';

describe('Liveness', () => {
  it('is alive while the timer fires, even without work', () => {
    const liveness = new Liveness(1_000, 5_000, 0);
    for (let now = 500; now < 20_000; now += 500) liveness.ticked(now);
    expect(liveness.report(20_400)).toEqual({ alive: true, lastProgressAt: 19_500, detail: null });
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
      liveness.finished(`att_${now}`, now + 50);
      liveness.ticked(now);
    }
    expect(liveness.report(5_950).alive).toBe(false);
    liveness.finished('stuck', 6_000);
    expect(liveness.report(6_000)).toEqual({ alive: true, lastProgressAt: 6_000, detail: null });
  });

  it('does not count the timer as progress while an attempt is under way', () => {
    const liveness = new Liveness(1_000, 5_000, 0);
    liveness.attemptStarted('att', 100);
    liveness.ticked(900);
    expect(liveness.report(900).lastProgressAt).toBe(0);
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
    liveness.finished('sweep', 20_000);
    expect(liveness.report(100_000).alive).toBe(true);
  });
});
