import { describe, expect, it } from 'vitest';
import type { Count, DestinationCount } from './count/count.js';
import { remarks, table, verdictOf } from './report.js';
import { faultsOf, type FaultResult } from './result.js';
import type { Scenario } from './scenario.js';

const scenario: Scenario = {
  name: 'worker-killed',
  title: 'kill -9 of a worker',
  run: () => Promise.reject(new Error('not used')),
};

const whole: DestinationCount = {
  destination: 'ed_1',
  kind: 'data_stream',
  published: 10,
  delivered: 10,
  lost: 0,
  rejected: 0,
  duplicates: 3,
  order_violations: 0,
  resource_order_violations: 0,
  gaps: 0,
  unknown: 0,
  undone: 0,
  reused: 0,
};

function countOf(changed: Partial<DestinationCount>, unrecorded = 0): Count {
  return { published: 10, published_unanswered: 2, unrecorded, destinations: [{ ...whole, ...changed }] };
}

function resultOf(count: Count): FaultResult {
  const { name, title } = scenario;
  const failures = faultsOf(count, scenario);
  return {
    scenario: name,
    title,
    backend: 'redis',
    count,
    seconds: 12.4,
    notes: ['6 kills'],
    skipped: null,
    failures,
  };
}

describe('faultsOf', () => {
  it('accepts duplicates and changes without a response', () => {
    expect(faultsOf(countOf({}), scenario)).toEqual([]);
  });

  it.each([
    ['lost', '1 deliveries lost'],
    ['rejected', '1 destinations that do not show 0 deliveries as rejected'],
    ['unknown', '1 arrivals of events that the log does not have'],
    ['order_violations', '1 arrivals out of the order of their destination'],
    ['resource_order_violations', '1 arrivals out of the order of their resource'],
    ['gaps', '1 sequence numbers missing'],
  ] as const)('fails for %s', (figure, fault) => {
    expect(faultsOf(countOf({ [figure]: 1 }), scenario)).toEqual([fault]);
  });

  it('fails for an accepted change without an event', () => {
    expect(faultsOf(countOf({}, 1), scenario)).toEqual(['1 accepted changes without an event']);
  });

  it('accepts a broken destination order for given targets, and never a broken resource order', () => {
    const count = countOf({ order_violations: 4, resource_order_violations: 1 });
    expect(faultsOf(count, { ...scenario, breaksDestinationOrder: ['data_stream'] })).toEqual([
      '1 arrivals out of the order of their resource',
    ]);
    expect(faultsOf(count, { ...scenario, breaksDestinationOrder: ['delivery_stream'] })).toEqual([
      '4 arrivals out of the order of their destination',
      '1 arrivals out of the order of their resource',
    ]);
  });

  it('fails if one destination rejects too many and another too few', () => {
    const count = { ...countOf({}), destinations: [2, 0].map((rejected) => ({ ...whole, rejected })) };
    expect(faultsOf(count, { ...scenario, rejects: 1 })).toEqual([
      '2 destinations that do not show 1 deliveries as rejected',
    ]);
  });

  it('fails for a scenario without published events', () => {
    expect(faultsOf({ ...countOf({}), published: 0 }, scenario)).toHaveLength(1);
  });
});

describe('the report', () => {
  it('has a row with a verdict for each result', () => {
    const [, , passed, failed] = table([resultOf(countOf({})), resultOf(countOf({ lost: 1 }))]).split('\n');
    expect(passed).toMatch(/^worker-killed +redis +10 × 1 +10 +0 +3 +0 +0 +0 +12 +passed$/);
    expect(failed).toMatch(/ 1 +3 +0 +0 +0 +12 +FAILED$/);
  });

  it('lists failures and notes, and separates skipped from passed', () => {
    expect(remarks([resultOf(countOf({ gaps: 2 }))])).toBe(
      'worker-killed on redis: FAILED: 2 sequence numbers missing; 6 kills',
    );
    const skipped: FaultResult = { ...resultOf(countOf({})), skipped: 'no small disk' };
    expect(verdictOf(skipped)).toBe('SKIPPED');
    expect(remarks([skipped])).toContain('SKIPPED: no small disk');
  });
});
