import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WaybillError, WaybillNetworkError, WaybillResponseError, WaybillTimeoutError } from './errors.js';
import type { ErrorCode } from './generated/types.js';
import { retryDelay } from './retry.js';
import { Waybill } from './waybill.js';

function problem(status: number, code: ErrorCode = 'unavailable', retryAfter: number | null = null): WaybillError {
  const rest = { type: '', title: '', detail: '', instance: '', operation_id: '' };
  return new WaybillError({ ...rest, status, error_code: code }, retryAfter);
}

describe('retryDelay', () => {
  it.each([
    ['429', problem(429), true, true],
    ['502', new WaybillResponseError('', 502), true, false],
    ['503', problem(503), true, false],
    ['504', new WaybillResponseError('', 504), true, false],
    ['a network error', new WaybillNetworkError(), true, false],
    ['a timeout', new WaybillTimeoutError(), true, false],
    ['the same request in progress', problem(409, 'idempotency_key_in_use'), true, true],
    ['another conflict', problem(409, 'still_referenced'), false, false],
    ['invalid input', problem(400), false, false],
    ['an internal error', problem(500), false, false],
    ['a malformed success', new WaybillResponseError('', 200), false, false],
    ['a mistake of the caller', new TypeError(), false, false],
  ])('after %s', (_name, error, repeatable, always) => {
    expect(retryDelay(error, true, 1) !== null).toBe(repeatable);
    expect(retryDelay(error, false, 1) !== null).toBe(always);
  });

  it('doubles up to 10 seconds, with a random part', () => {
    const most = [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000];
    for (const [index, longest] of most.entries()) {
      for (const random of [0, 0.5, 0.999]) {
        vi.spyOn(Math, 'random').mockReturnValue(random);
        const delay = retryDelay(problem(503), true, index + 1) ?? 0;
        expect(delay).toBeGreaterThanOrEqual(longest / 2);
        expect(delay).toBeLessThanOrEqual(longest);
      }
    }
    vi.restoreAllMocks();
  });

  it('is at least Retry-After; more than a minute is an error at once', () => {
    expect(retryDelay(problem(429, 'rate_limited', 7), true, 1)).toBe(7_000);
    expect(retryDelay(new WaybillResponseError('', 503, 60), true, 1)).toBe(60_000);
    expect(retryDelay(problem(429, 'rate_limited', 61), true, 1)).toBeNull();
  });
});

describe('a 429', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each(['3', () => new Date(Date.now() + 3_000).toUTCString()])('waits for Retry-After: %s', async (header) => {
    const value = typeof header === 'string' ? header : header();
    const responses = [
      new Response('{"error_code": "rate_limited", "detail": "too many"}', {
        status: 429,
        headers: { 'retry-after': value },
      }),
      new Response('{"id": "ipp_1"}', { status: 201 }),
    ];
    let calls = 0;
    const waybill = new Waybill({
      url: 'http://127.0.0.1',
      key: 'key',
      fetch: async () => responses[calls++] ?? Response.error(),
    });
    const created = waybill.ipPolicies.create();
    await vi.advanceTimersByTimeAsync(1_900);
    expect(calls).toBe(1);
    await vi.advanceTimersByTimeAsync(1_200);
    expect(calls).toBe(2);
    expect(await created).toEqual({ id: 'ipp_1' });
  });
});
