import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome, RejectionBasis } from '../../targets/target.js';
import type { BatchDelivery } from '../lanes/batch-store.js';
import { settlementOf, type RetryPolicy } from './settlement.js';

const policy: RetryPolicy = {
  retry: { baseMs: 100, capMs: 1_000 },
  misconfigured: { baseMs: 10_000, capMs: 60_000 },
  deadlineMs: 5_000,
};
const NOW = 1_000_000;
const reason = { code: 'http_503', message: 'busy', httpStatus: 503 };

function delivery(id: number, ageMs = 0, numbered = false, type = 't'): BatchDelivery {
  return {
    id,
    requestedAt: NOW - ageMs,
    numbered,
    traceParent: null,
    event: {
      id: `evt_${id}`,
      type,
      sequence: id,
      timestampMs: NOW - ageMs,
      resourceId: 'r',
      json: '{}',
    },
  };
}

function settle(outcomes: readonly Outcome[], { failuresBefore = 0, ageMs = 0, numbered = false, types = ['t'] } = {}) {
  const deliveries = outcomes.map((_, index) => delivery(index + 1, ageMs, numbered, types[index % types.length]));
  return settlementOf(
    { deliveries, outcomes, startedAt: new Date(NOW), durationMs: 1, failuresBefore },
    policy,
    NOW,
    () => 0.5,
  );
}

const delivered: Outcome = { kind: 'delivered' };
const failed: Outcome = { kind: 'retry', reason };
const postponed: Outcome = { kind: 'postponed' };
const interrupted: Outcome = {
  kind: 'interrupted',
  reason: { code: 'interrupted', message: 'stopping' },
};
const rejectedFor = (basis: RejectionBasis): Outcome => ({ kind: 'rejected', basis, reason });

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constantFrom<Outcome>(delivered, postponed, interrupted),
  fc.nat(5_000).map((afterMs): Outcome => ({ kind: 'retry', reason, afterMs })),
  fc.constant<Outcome>({ kind: 'misconfigured', reason }),
  fc.constantFrom<RejectionBasis>('size', 'record', 'call').map(rejectedFor),
);

describe('settlementOf', () => {
  it('has the highest timestamp of the delivered records, where they have one', () => {
    const at = (timestampMs: number): Outcome => ({ kind: 'delivered', timestampMs });
    expect(settle([at(20), at(30), at(10), failed]).latestTimestampMs).toBe(30);
    expect(settle([delivered, failed]).latestTimestampMs).toBeNull();
  });

  it('counts the latency of each delivered delivery, since its event was recorded', () => {
    expect(settle([delivered, failed, delivered, postponed], { ageMs: 0.5 }).latencies).toEqual([[0, 2]]);
    // 1,000 ms is between 2^(39/4) and 2^(40/4).
    expect(settle([delivered], { ageMs: 1_000 }).latencies).toEqual([[40, 1]]);
    expect(settle([failed, postponed]).latencies).toEqual([]);
  });

  it('notes what was rejected, but no rejected event about health', () => {
    const record = rejectedFor('record');
    expect(settle([delivered, record, failed, record]).rejections).toEqual({
      count: 2,
      first_sequence: 2,
      last_sequence: 4,
      code: reason.code,
    });
    const types = ['event_delivery_rejected.v0', 't', 'event_destination_status_changed.v0'];
    expect(settle([record, record, record], { types }).rejections).toMatchObject({ count: 1, first_sequence: 2 });
    expect(settle([record], { types }).rejections).toBeNull();
    // A refused call is tried again.
    expect(settle([rejectedFor('call'), failed]).rejections).toBeNull();
  });

  it('accounts for every delivery exactly once, for any outcomes', () => {
    fc.assert(
      fc.property(
        fc.array(outcome),
        fc.nat(10_000),
        fc.nat(9),
        fc.boolean(),
        (outcomes, ageMs, failuresBefore, numbered) => {
          const settlement = settle(outcomes, { ageMs, failuresBefore, numbered });
          const ids = [...settlement.delivered, ...settlement.undelivered].map(({ id }) => id);
          const returned = outcomes.map((_, index) => index + 1).slice((settlement.nextSequence ?? 1e9) - 1);
          expect([...ids, ...returned].toSorted((a, b) => a - b)).toEqual(outcomes.map((_, i) => i + 1));
        },
      ),
    );
  });

  it('backs off exactly when the destination failed', () => {
    fc.assert(
      fc.property(fc.array(outcome), fc.nat(10_000), fc.nat(9), (outcomes, ageMs, failuresBefore) => {
        const { delayMs, failures, status } = settle(outcomes, { ageMs, failuresBefore });
        const tookAny = outcomes.some(({ kind }) => kind === 'delivered');
        const fails = outcomes.some(
          (one) =>
            one.kind === 'retry' ||
            one.kind === 'misconfigured' ||
            (one.kind === 'rejected' && one.basis === 'call' && !tookAny),
        );
        expect(delayMs !== null).toBe(fails);
        expect(status === 'retrying' || status === 'misconfigured').toBe(fails);
        if (status === 'healthy') expect(failures).toBe(0);
        if (status === null) expect(failures).toBe(failuresBefore);
      }),
    );
  });

  it('returns unsent deliveries at the end of a batch to the lane, with their numbers', () => {
    const settlement = settle([delivered, failed, postponed, postponed]);
    expect(settlement).toMatchObject({
      delivered: [{ id: 1 }],
      undelivered: [{ id: 2, state: 'pending' }],
      nextSequence: 3,
      status: 'retrying',
      failures: 1,
    });
  });

  it('sets no backoff when everything that was sent was delivered', () => {
    expect(settle([delivered, postponed], { failuresBefore: 3 })).toMatchObject({
      undelivered: [],
      nextSequence: 2,
      status: 'healthy',
      outcome: 'healthy',
      failures: 0,
      delayMs: null,
      error: null,
    });
  });

  it('keeps unsent deliveries in the batch, without an error, when they or later ones have a recorded number', () => {
    expect(settle([delivered, postponed], { numbered: true })).toMatchObject({
      undelivered: [{ id: 2, state: 'pending', code: null, message: null }],
      nextSequence: null,
      delayMs: null,
    });
    expect(settle([delivered, postponed, rejectedFor('size'), postponed])).toMatchObject({
      undelivered: [
        { id: 2, state: 'pending', code: null },
        { id: 3, state: 'rejected' },
      ],
      nextSequence: 4,
    });
  });

  it('does not expire unsent or interrupted deliveries', () => {
    expect(settle([interrupted, postponed], { ageMs: 9_000, numbered: true }).undelivered).toMatchObject([
      { state: 'pending', code: 'interrupted' },
      { state: 'pending', code: null },
    ]);
  });

  it('records no failure, backoff or error of a destination whose call was interrupted', () => {
    expect(settle([interrupted, postponed], { failuresBefore: 4 })).toMatchObject({
      undelivered: [{ id: 1, state: 'pending' }],
      status: null,
      failures: 4,
      delayMs: null,
      error: null,
      interruption: { code: 'interrupted' },
      outcome: 'interrupted',
    });
    expect(settle([delivered, interrupted], { failuresBefore: 4 })).toMatchObject({
      status: 'healthy',
      failures: 0,
      error: null,
    });
  });

  it('counts a record that the vendor rejected as progress, and one that is too large as nothing', () => {
    expect(settle([rejectedFor('record')], { failuresBefore: 4 })).toMatchObject({
      status: 'healthy',
      failures: 0,
      delayMs: null,
      outcome: 'rejected',
    });
    expect(settle([rejectedFor('size')], { failuresBefore: 4 })).toMatchObject({
      undelivered: [{ state: 'rejected' }],
      status: null,
      failures: 4,
      delayMs: null,
      outcome: 'rejected',
    });
  });

  it.each([1, 2, 7])('rejects none of %d events when every call is rejected, and frees the lane', (count) => {
    const settlement = settle(Array<Outcome>(count).fill(rejectedFor('call')), { failuresBefore: 1 });
    expect(settlement).toMatchObject({
      status: 'misconfigured',
      outcome: 'misconfigured',
      failures: 2,
      freesLane: true,
      delayMs: 10_000,
      error: { code: 'http_503' },
    });
    expect(settlement.undelivered.map(({ state }) => state)).toEqual(Array(count).fill('pending'));
  });

  it('rejects the record of a rejected call when another was delivered in the same attempt', () => {
    expect(settle([rejectedFor('call'), delivered])).toMatchObject({
      undelivered: [{ id: 1, state: 'rejected' }],
      status: 'healthy',
      freesLane: false,
      outcome: 'rejected',
    });
  });

  it('resets the backoff when the destination accepted or rejected any record', () => {
    expect(settle([failed, failed], { failuresBefore: 4 })).toMatchObject({ failures: 5, delayMs: 500 });
    expect(settle([delivered, failed], { failuresBefore: 4 })).toMatchObject({
      failures: 1,
      delayMs: 50,
    });
    expect(settle([rejectedFor('record'), failed], { failuresBefore: 4 })).toMatchObject({
      failures: 1,
    });
  });

  it('gives a configuration error precedence, with its slower backoff', () => {
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

  it('waits as long as the longest requested wait', () => {
    const settlement = settle([
      { kind: 'retry', reason, afterMs: 700 },
      { kind: 'retry', reason, afterMs: 900 },
    ]);
    expect(settlement.delayMs).toBe(900);
  });

  it('keeps the destination healthy when it rejects a record', () => {
    expect(settle([rejectedFor('record')])).toMatchObject({
      status: 'healthy',
      outcome: 'rejected',
      delayMs: null,
      failures: 0,
      error: { code: 'http_503', httpStatus: 503 },
    });
  });

  it('expires deliveries that fail after their deadline, and none that is delivered or rejected', () => {
    const settlement = settle([delivered, rejectedFor('record'), failed], { ageMs: 5_000 });
    expect(settlement.delivered).toHaveLength(1);
    expect(settlement.undelivered.map(({ state }) => state)).toEqual(['rejected', 'expired']);
    expect(settle([{ kind: 'retry', reason }], { ageMs: 4_999 }).undelivered).toMatchObject([{ state: 'pending' }]);
  });
});
