import type { EventDestinationMetrics } from '@waybill/client';
import { expect, it } from 'vitest';
import { chartRanges, metricsQueryOf, ranges, stepLengths } from './chart-ranges.js';
import { chartsOf, highestOf, isAlone, latency, stepText } from './series.js';

const none = {
  attempts: 0,
  delivered: 0,
  retried: 0,
  rejected: 0,
  expired: 0,
  latency_p50_ms: null,
  latency_p99_ms: null,
  batch_size_mean: null,
  batch_size_max: null,
};
const some = {
  ...none,
  attempts: 2,
  delivered: 12,
  retried: 3,
  rejected: 2,
  expired: 1,
  latency_p50_ms: 85.4,
  latency_p99_ms: 1_240,
  batch_size_mean: 7.5,
  batch_size_max: 9,
};

const metrics: EventDestinationMetrics = {
  uri: '/event_destinations/ed_1/metrics',
  step: '1m',
  from: '2026-11-23T00:00:00.000Z',
  to: '2026-11-23T00:03:00.000Z',
  complete_until: '2026-11-23T00:02:30.000Z',
  total: some,
  steps: [
    { from: '2026-11-23T00:00:00.000Z', ...none },
    { from: '2026-11-23T00:01:00.000Z', ...some },
    { from: '2026-11-23T00:02:00.000Z', ...none },
  ],
};

it('stacks what failed on what was delivered', () => {
  const [counts, delays] = chartsOf(metrics);
  expect(counts && highestOf(counts)).toBe(18);
  expect(counts && stepText(counts, 1)).toBe('12 delivered, 6 failed');
  expect(delays && highestOf(delays)).toBe(1_240);
  expect(delays && stepText(delays, 0)).toBe('nothing');
});

it('says the whole range in words', () => {
  expect(chartsOf(metrics).map(({ summary }) => summary)).toEqual([
    '12 delivered, 6 failed (3 retried, 2 rejected, 1 expired)',
    'p50 85 ms, p99 1.2 s',
    '7.5 events on average, 9 at most, in 2 attempts',
  ]);
});

it('says of an idle time that nothing was sent, on axes whose labels differ', () => {
  const idle = chartsOf({ ...metrics, total: none, steps: metrics.steps.map(({ from }) => ({ from, ...none })) });
  expect(idle.map(({ summary }) => summary)).toEqual([
    '0 delivered, 0 failed',
    'nothing was delivered',
    'no attempt was made',
  ]);
  expect(idle.map(highestOf)).toEqual([1, 10, 4]);
});

it('finds values without a neighbour', () => {
  expect([0, 1, 2, 3].map((index) => isAlone([null, 4, null, 5], index))).toEqual([false, true, false, true]);
  expect(isAlone([4, 5], 0)).toBe(false);
});

it.each([
  [null, 'none'],
  [0.6, '1 ms'],
  [1_000, '1.0 s'],
  [61_000, '1 min 1 s'],
])('writes a latency of %d ms as %s', (ms, text) => {
  expect(latency(ms)).toBe(text);
});

it('asks for at most 1,500 steps of a range, the most of the API, from the first whole one on', () => {
  const now = Date.UTC(2026, 10, 23, 7, 31, 20);
  for (const range of chartRanges) {
    const { from, to, step } = metricsQueryOf(range, now);
    expect(Date.parse(to)).toBe(now);
    expect(Date.parse(from) % stepLengths[step]).toBe(0);
    const left = Date.parse(from) - (now - ranges[range].ms);
    expect(left >= 0 && left < stepLengths[step]).toBe(true);
    expect(ranges[range].ms / stepLengths[step]).toBeLessThanOrEqual(1_500);
  }
});
