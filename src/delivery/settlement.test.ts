import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../targets/target.js';
import type { BatchDelivery } from './batch-store.js';
import { settlementOf, type RetryPolicy } from './settlement.js';

const policy: RetryPolicy = {
  retry: { baseMs: 100, capMs: 1_000 },
  misconfigured: { baseMs: 10_000, capMs: 60_000 },
  deadlineMs: 5_000,
};
const now = 1_000_000;
const reason = { code: 'http_503', message: 'busy', httpStatus: 503 };

function delivery(id: number, ageMs = 0): BatchDelivery {
  return {
    id,
    askedAt: new Date(now - ageMs),
    traceParent: null,
    event: {
      id: `evt_${id}`,
      type: 't',
      sequence: id,
      timestampMs: now - ageMs,
      resourceId: 'r',
      json: '{}',
    },
  };
}

function settle(outcomes: readonly Outcome[], { failuresBefore = 0, ageMs = 0 } = {}) {
  const deliveries = outcomes.map((_, index) => delivery(index + 1, ageMs));
  return settlementOf(
    { deliveries, outcomes, startedAt: new Date(now), durationMs: 1, failuresBefore },
    policy,
    now,
    () => 0.5,
  );
}

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constant<Outcome>({ kind: 'delivered' }),
  fc.record({ kind: fc.constant('retry' as const), reason: fc.constant(reason), afterMs: fc.nat(5_000) }),
  fc.record({ kind: fc.constant('misconfigured' as const), reason: fc.constant(reason) }),
  fc.record({ kind: fc.constant('rejected' as const), reason: fc.constant(reason) }),
);

describe('settlementOf', () => {
  it('accounts for every delivery exactly once, whatever the target answers', () => {
    fc.assert(
      fc.property(fc.array(outcome), fc.nat(10_000), fc.nat(9), (outcomes, ageMs, failuresBefore) => {
        const { delivered, others } = settle(outcomes, { ageMs, failuresBefore });
        const ids = [...delivered, ...others].map(({ id }) => id).toSorted((a, b) => a - b);
        expect(ids).toEqual(outcomes.map((_, index) => index + 1));
      }),
    );
  });

  it('backs off exactly when something is tried again or has expired', () => {
    fc.assert(
      fc.property(fc.array(outcome), fc.nat(10_000), (outcomes, ageMs) => {
        const { others, delayMs, failures, status } = settle(outcomes, { ageMs });
        const failed = others.some(({ state }) => state !== 'rejected');
        expect(delayMs !== null).toBe(failed);
        expect(failures > 0).toBe(failed);
        expect(status !== 'healthy').toBe(failed);
      }),
    );
  });

  it('starts the schedule anew when the destination took or judged anything', () => {
    const failed: Outcome = { kind: 'retry', reason };
    expect(settle([failed, failed], { failuresBefore: 4 })).toMatchObject({ failures: 5, delayMs: 500 });
    expect(settle([{ kind: 'delivered' }, failed], { failuresBefore: 4 })).toMatchObject({
      failures: 1,
      delayMs: 50,
    });
    expect(settle([{ kind: 'rejected', reason }, failed], { failuresBefore: 4 })).toMatchObject({
      failures: 1,
    });
  });

  it('lets a configuration error outweigh the rest, on its slower schedule', () => {
    const denied = { code: 'AccessDenied', message: 'denied' };
    const settlement = settle([
      { kind: 'retry', reason },
      { kind: 'misconfigured', reason: denied },
    ]);
    expect(settlement).toMatchObject({
      status: 'misconfigured',
      outcome: 'misconfigured',
      delayMs: 5_000,
      error: { code: 'AccessDenied' },
    });
  });

  it('waits as long as the longest wait that was asked for', () => {
    const settlement = settle([
      { kind: 'retry', reason, afterMs: 700 },
      { kind: 'retry', reason, afterMs: 900 },
    ]);
    expect(settlement.delayMs).toBe(900);
  });

  it('does not blame the destination for a record that it rejects', () => {
    expect(settle([{ kind: 'rejected', reason }])).toMatchObject({
      status: 'healthy',
      outcome: 'rejected',
      delayMs: null,
      failures: 0,
      error: { code: 'http_503', httpStatus: 503 },
    });
  });

  it('expires what failed after its deadline, and not what was delivered or rejected after it', () => {
    const { delivered, others } = settle(
      [{ kind: 'delivered' }, { kind: 'rejected', reason }, { kind: 'retry', reason }],
      { ageMs: 5_000 },
    );
    expect(delivered).toHaveLength(1);
    expect(others.map(({ state }) => state)).toEqual(['rejected', 'expired']);
    expect(settle([{ kind: 'retry', reason }], { ageMs: 4_999 }).others).toMatchObject([
      { state: 'pending' },
    ]);
  });
});
