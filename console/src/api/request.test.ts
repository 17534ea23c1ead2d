import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionError, isSignedOut, ProblemError } from './problem.js';
import { addressOf, request, send } from './request.js';

let sent: { readonly address: string; readonly init: RequestInit }[];
let response: () => Response;

beforeEach(() => {
  sent = [];
  response = () => new Response('{}');
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    sent.push({ address, init });
    return Promise.resolve().then(response);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('addressOf', () => {
  it('fills the parameters of the path, and repeats the name of a list', () => {
    const query = { state: ['healthy', 'paused'], limit: 5, before_id: undefined, q: null };
    expect(addressOf('/things/{id}/parts', { id: 'a/b?' }, query)).toBe(
      '/things/a%2Fb%3F/parts?state=healthy&state=paused&limit=5',
    );
  });
});

describe('a request', () => {
  it('names the version of the API, and sends the cookie to this origin only', async () => {
    await request('GET', '/event_destinations/{id}', { path: { id: 'ed_1' } });
    expect(sent).toMatchObject([
      { address: '/event_destinations/ed_1', init: { credentials: 'same-origin', redirect: 'error' } },
    ]);
    expect(sent[0]?.init.headers).toMatchObject({ 'service-version': '2' });
  });

  it('of a POST has a new idempotency key each time, or the given one', async () => {
    await send('POST', '/things', { body: { a: 1 } });
    await send('POST', '/things', { body: { a: 1 } });
    await send('POST', '/things', { body: { a: 1 }, idempotencyKey: 'mine' });
    const [first, second, third] = sent.map(({ init }) => new Headers(init.headers).get('idempotency-key'));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
    expect(third).toBe('mine');
    expect(sent[0]?.init.body).toBe('{"a":1}');
  });

  it('returns nothing where the response has no body', async () => {
    response = () => new Response(null, { status: 204 });
    expect(await send('DELETE', '/session')).toBeUndefined();
  });

  it('that is refused throws the problem document, with the time to wait', async () => {
    const problem = { error_code: 'rate_limited', detail: 'Too many requests.', operation_id: 'op_1' };
    response = () => new Response(JSON.stringify(problem), { status: 429, headers: { 'retry-after': '7' } });
    const error = await send('GET', '/things').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ status: 429, retryAfterSeconds: 7, message: 'Too many requests.' });
    expect(isSignedOut(error)).toBe(false);
  });

  it('that a proxy answers throws an error with the status', async () => {
    response = () => new Response('<html>Bad gateway</html>', { status: 502 });
    await expect(send('GET', '/things')).rejects.toThrow(
      new ConnectionError('The response is not one of Waybill (HTTP 502).'),
    );
  });

  it('that does not reach the service says so', async () => {
    response = () => {
      throw new TypeError('Failed to fetch');
    };
    await expect(send('GET', '/things')).rejects.toThrow(/^Waybill cannot be reached/);
  });
});
