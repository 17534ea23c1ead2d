import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FailingAdmissions } from './failing-admissions.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Admits jobs while the admissions are open. Returns the functions that report their ends. */
function admitAll(admissions: FailingAdmissions): (() => void)[] {
  const ends: (() => void)[] = [];
  while (admissions.isOpen) ends.push(admissions.admit());
  return ends;
}

it('lets a tenth of the jobs begin in a tenth of the timeout, until all run', () => {
  const admissions = new FailingAdmissions({ most: 100, longestMs: 30_000 });
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  for (let part = 0; part < 12; part += 1) {
    const admitted = admitAll(admissions);
    begun.push(admitted.length);
    ends.push(...admitted);
    vi.advanceTimersByTime(3_000);
  }
  expect(begun).toEqual([...Array.from({ length: 10 }, () => 10), 0, 0]);
  ends[0]?.();
  expect(admitAll(admissions)).toHaveLength(1);
});

it('lets another job begin as soon as one ends early', () => {
  const admissions = new FailingAdmissions({ most: 100, longestMs: 30_000 });
  for (let round = 0; round < 50; round += 1) {
    const ends = admitAll(admissions);
    expect(ends).toHaveLength(10);
    for (const end of ends) end();
  }
});

it('lets four jobs begin at once where few may run', () => {
  expect(admitAll(new FailingAdmissions({ most: 20, longestMs: 30_000 }))).toHaveLength(4);
  expect(admitAll(new FailingAdmissions({ most: 3, longestMs: 30_000 }))).toHaveLength(3);
});

it('makes a refused job wait the longer, the more jobs wait, within limits', () => {
  const admissions = new FailingAdmissions({ most: 100, longestMs: 300_000 });
  const waits = Array.from({ length: 300 }, () => {
    const ms = admissions.waitMs(() => 0.5);
    admissions.refused(ms);
    return ms;
  });
  // A job begins every three seconds. Three jobs ask for each of these turns.
  expect(waits[0]).toBe(30_000);
  expect(waits[29]).toBe(30_000);
  expect(waits[99]).toBe(100_000);
  expect(waits[299]).toBe(180_000);
  vi.advanceTimersByTime(180_000);
  expect(admissions.waitMs(() => 0)).toBe(15_000);
});
