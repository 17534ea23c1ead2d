import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchFile } from './fetch-file.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Makes `fetch` return these responses, and then the last one; undefined: a network error. Returns the addresses. */
function responding(
  ...responses: readonly (readonly [status: number, headers?: Record<string, string>] | undefined)[]
) {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    const response = responses[Math.min(calls.length, responses.length - 1)];
    calls.push(address);
    if (response === undefined) throw new TypeError('fetch failed');
    return new Response('body', { status: response[0], headers: response[1] });
  });
  return calls;
}

describe('a file at an address', () => {
  it.each([[[429]], [[502]], [[503]], [[504]], [undefined]] as const)('is read again after %j', async (failure) => {
    const calls = responding(failure, [200]);
    const file = fetchFile('http://waybill/tile', 'key');
    await vi.runAllTimersAsync();
    expect(await file).toEqual({ status: 200, bytes: new TextEncoder().encode('body') });
    expect(calls).toEqual(['http://waybill/tile', 'http://waybill/tile']);
  });

  it('is read again not before the time of Retry-After', async () => {
    const calls = responding([429, { 'retry-after': '3' }], [200]);
    const file = fetchFile('http://waybill/tile', '');
    await vi.advanceTimersByTimeAsync(2_900);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(await file).toMatchObject({ status: 200 });
  });

  it.each([[[404]], [[302]], [[500]], [[429, { 'retry-after': '61' }]]] as const)(
    'is not read again after %j',
    async (response) => {
      const calls = responding(response);
      expect(await fetchFile('http://waybill/tile', '')).toMatchObject({ status: response[0] });
      expect(calls).toHaveLength(1);
    },
  );

  it('is read five times at most', async () => {
    const calls = responding([503]);
    const refused = fetchFile('http://waybill/tile', '');
    await vi.runAllTimersAsync();
    expect(await refused).toMatchObject({ status: 503 });
    expect(calls).toHaveLength(5);

    const lost = responding(undefined);
    const failed = fetchFile('http://waybill/tile', '').catch(String);
    await vi.runAllTimersAsync();
    expect(await failed).toBe('TypeError: fetch failed');
    expect(lost).toHaveLength(5);
  });
});
