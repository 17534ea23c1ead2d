import { describe, expect, it } from 'vitest';
import { figure, deliveryCounts, sumOfCounts } from './result.js';

describe('figure', () => {
  it('compares its goal with the value before rounding', () => {
    expect(figure('ratio', 0.9999, '', { is: 'at least', value: 1 })).toMatchObject({
      value: 1,
      reached: false,
    });
    expect(figure('ratio', 1, '', { is: 'at least', value: 1 }).reached).toBe(true);
    expect(figure('p99', 50, 'ms', { is: 'under', value: 50 }).reached).toBe(false);
    expect(figure('rise', 1.2, '', { is: 'at most', value: 1.2 }).reached).toBe(true);
  });

  it('does not reach a goal with NaN', () => {
    expect(figure('p99', Number.NaN, 'ms', { is: 'under', value: 50 }).reached).toBe(false);
    expect(figure('rate', Number.NaN, '', { is: 'at least', value: 1 }).reached).toBe(false);
  });

  it('has no verdict without a goal', () => {
    expect(figure('rate', 12_345.6, 'events/s')).toEqual({ name: 'rate', value: 12_346, unit: 'events/s' });
  });
});

describe('deliveryCounts', () => {
  it('separates lost events from duplicates', () => {
    expect(deliveryCounts(10, 10, 0)).toMatchObject({ lost: 0, duplicates: 0 });
    expect(deliveryCounts(10, 10, 2)).toMatchObject({ lost: 2, duplicates: 2 });
    expect(deliveryCounts(10, 12, 2)).toMatchObject({ lost: 0, duplicates: 2 });
    expect(deliveryCounts(10, 0, 0)).toMatchObject({ lost: 10, duplicates: 0 });
  });

  it('adds up several parts', () => {
    expect(sumOfCounts([deliveryCounts(10, 9, 0), deliveryCounts(5, 6, 1)])).toEqual({
      expected: 15,
      received: 15,
      lost: 1,
      duplicates: 1,
    });
  });
});
