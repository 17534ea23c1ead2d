import type { Delivery } from '@waybill/client';
import { expect, it } from 'vitest';
import { extentOf, outcomeText, spansOf } from './timeline.js';

const START = Date.parse('2026-11-23T04:00:00.000Z');

function at(ms: number): string {
  return new Date(START + ms).toISOString();
}

function attempt(startMs: number, outcome: Delivery['attempts'][number]['outcome'], durationMs = 100) {
  return { started_at: at(startMs), outcome, code: null, message: null, http_status: null, duration_ms: durationMs };
}

const delivery: Delivery = {
  id: 'dlv_1',
  event_id: 'evt_1',
  event_type: 'ip_policy_created.v0',
  destination_id: 'ed_1',
  state: 'delivered',
  sequence: 7,
  epoch: 1,
  attempts: [attempt(50, 'retry'), attempt(2_000, 'delivered')],
  attempt_count: 2,
  error: null,
  created_at: at(0),
  redelivered_at: null,
  finished_at: at(2_100),
  backfill_id: null,
};

function kinds(one: Delivery, now = 0): readonly string[] {
  return spansOf(one, START + now).map(({ kind, from, to }) => `${kind} ${from - START}-${to - START}`);
}

it('has waits and attempts without gaps', () => {
  expect(kinds(delivery)).toEqual(['wait 0-50', 'retry 50-150', 'wait 150-2000', 'delivered 2000-2100']);
});

it('waits until now while it is not finished', () => {
  const waiting: Delivery = { ...delivery, state: 'pending', attempts: [], attempt_count: 0, finished_at: null };
  expect(kinds(waiting, 900)).toEqual(['wait 0-900']);
  expect(outcomeText(waiting)).toBe('Waits for its first attempt');
});

it('waits from its last attempt to its end', () => {
  const expired: Delivery = { ...delivery, state: 'expired', attempts: [attempt(50, 'retry')], finished_at: at(5_000) };
  expect(kinds(expired).at(-1)).toBe('wait 150-5000');
});

it('puts all rows on one scale', () => {
  expect(extentOf([])).toBeNull();
  expect(extentOf([spansOf(delivery, 0), [{ kind: 'wait', from: START - 5, to: START }]])).toEqual([
    START - 5,
    START + 2_100,
  ]);
});

it('says what became of a delivery', () => {
  expect(outcomeText(delivery)).toBe('Delivered after 2 s, with 2 attempts');
  expect(outcomeText({ ...delivery, state: 'cancelled', attempt_count: 0 })).toBe(
    'Cancelled after 2 s, without an attempt',
  );
});
