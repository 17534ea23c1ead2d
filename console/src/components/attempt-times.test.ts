import type { DeliveryAttempt } from '@waybill/client';
import { expect, it } from 'vitest';
import { timedAttempts } from './attempt-times.js';

function attempt(started: string): DeliveryAttempt {
  return { started_at: started, outcome: 'retry', code: null, message: null, http_status: null, duration_ms: 100 };
}

const attempts = [attempt('2026-11-23T04:00:00.050Z'), attempt('2026-11-23T04:00:02.000Z')];

it('has the waits before all attempts of a delivery', () => {
  const timed = timedAttempts({ attempts, total: 2, since: '2026-11-23T04:00:00.000Z' });
  expect(timed.map(({ number, waitMs }) => [number, waitMs])).toEqual([
    [1, 50],
    [2, 1_850],
  ]);
});

it('knows no wait before the first attempt that is kept of many', () => {
  const timed = timedAttempts({ attempts, total: 22, since: '2026-11-22T04:00:00.000Z' });
  expect(timed.map(({ number, waitMs }) => [number, waitMs])).toEqual([
    [21, null],
    [22, 1_850],
  ]);
});
