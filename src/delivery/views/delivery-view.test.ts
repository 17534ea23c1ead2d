import { describe, expect, it } from 'vitest';
import { attemptsIn, type AttemptRow, type Run } from './delivery-view.js';

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
const run = (changes: Partial<Run>): Run => ({
  batch_id: 'bat_1',
  attempts: 2,
  state: 'pending',
  code: 'Denied',
  message: 'No.',
  ...changes,
});

describe('the attempts at a batch, seen from one of its deliveries', () => {
  it('say why it was put off', () => {
    expect(attemptsIn(run({}), [throttled, denied])).toMatchObject([
      { outcome: 'retry', code: 'Throttled', httpStatus: 400, durationMs: 7 },
      { outcome: 'misconfigured', code: 'Denied', httpStatus: 403 },
    ]);
  });

  it('end with its delivery, whatever failed beside it', () => {
    expect(attemptsIn(run({ state: 'delivered', code: null }), [throttled, denied])).toMatchObject([
      { outcome: 'retry' },
      { outcome: 'delivered', code: null, message: null, httpStatus: null },
    ]);
  });

  it('end with its own rejection, and with the status of the answer only where that was about it', () => {
    const end = (code: string) =>
      attemptsIn(run({ state: 'rejected', code, message: 'Malformed.' }), [denied]);
    expect(end('Poison')).toMatchObject([
      { outcome: 'rejected', code: 'Poison', message: 'Malformed.', httpStatus: null },
    ]);
    expect(end('Denied')).toMatchObject([{ outcome: 'rejected', httpStatus: 403 }]);
  });

  it('end with the failure after which it expired', () => {
    expect(attemptsIn(run({ state: 'expired' }), [throttled, denied]).at(-1)).toMatchObject({
      outcome: 'misconfigured',
    });
  });

  it('do not end it where its last is not among them any more', () => {
    expect(attemptsIn(run({ state: 'delivered', attempts: 3 }), [throttled])).toMatchObject([
      { outcome: 'retry' },
    ]);
  });
});
