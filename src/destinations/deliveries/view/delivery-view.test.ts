import { describe, expect, it } from 'vitest';
import { attemptsIn, type AttemptRow, type DeliveryRun } from './delivery-view.js';

const throttled: AttemptRow = {
  number: 1,
  started_at: new Date(1),
  duration_ms: 7,
  outcome: 'retrying',
  code: 'Throttled',
  message: 'Too much.',
  http_status: 400,
};
const denied = { ...throttled, number: 2, outcome: 'misconfigured', code: 'Denied', http_status: 403 };
const run = (changes: Partial<DeliveryRun>): DeliveryRun => ({
  batch_id: 'bat_1',
  attempts: 2,
  state: 'pending',
  code: 'Denied',
  message: 'No.',
  ...changes,
});

describe('attemptsIn', () => {
  it('shows for earlier attempts why the delivery was retried', () => {
    expect(attemptsIn(run({}), [throttled, denied])).toMatchObject([
      { outcome: 'retry', code: 'Throttled', http_status: 400, duration_ms: 7 },
      { outcome: 'misconfigured', code: 'Denied', http_status: 403 },
    ]);
  });

  it('shows the last attempt as delivered, although other deliveries of the batch failed', () => {
    expect(attemptsIn(run({ state: 'delivered', code: null }), [throttled, denied])).toMatchObject([
      { outcome: 'retry' },
      { outcome: 'delivered', code: null, message: null, http_status: null },
    ]);
  });

  it('shows the delivery’s own rejection, with the HTTP status only when the attempt has the same code', () => {
    const end = (code: string) => attemptsIn(run({ state: 'rejected', code, message: 'Malformed.' }), [denied]);
    expect(end('Poison')).toMatchObject([
      { outcome: 'rejected', code: 'Poison', message: 'Malformed.', http_status: null },
    ]);
    expect(end('Denied')).toMatchObject([{ outcome: 'rejected', http_status: 403 }]);
  });

  it('shows the failure after which the delivery expired', () => {
    expect(attemptsIn(run({ state: 'expired' }), [throttled, denied]).at(-1)).toMatchObject({
      outcome: 'misconfigured',
    });
  });

  it('shows only retries when the last attempt was pruned', () => {
    expect(attemptsIn(run({ state: 'delivered', attempts: 3 }), [throttled])).toMatchObject([{ outcome: 'retry' }]);
  });
});
