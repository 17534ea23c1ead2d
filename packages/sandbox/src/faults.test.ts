import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ScriptedFaults, seededRandom } from './faults.js';
import type { Fault, Sandbox } from './sandbox-contract.js';
import { startSandbox } from './start-sandbox.js';

const kinds = (faults: ScriptedFaults, calls: number, address = 'a') =>
  Array.from({ length: calls }, () => faults.apply('monitoring', address).fault?.kind);

const hits = (seed: number) => {
  const faults = new ScriptedFaults(seededRandom(seed));
  faults.script({ kind: 'throttle', ratio: 0.2 });
  return kinds(faults, 1_000);
};

describe('the scripted faults', () => {
  it('hits the given number of calls', () => {
    const faults = new ScriptedFaults(Math.random);
    faults.script({ kind: 'throttle', times: 2 });
    expect(kinds(faults, 3)).toEqual(['throttle', 'throttle', undefined]);
  });

  it('hits until it is removed', () => {
    const faults = new ScriptedFaults(Math.random);
    const remove = faults.script({ kind: 'deny' });
    expect(kinds(faults, 2)).toEqual(['deny', 'deny']);
    remove();
    expect(kinds(faults, 1)).toEqual([undefined]);
  });

  it('hits only the target and the address that it names', () => {
    const faults = new ScriptedFaults(Math.random);
    faults.script({ kind: 'deny', target: 'monitoring', address: 'a' });
    expect(faults.apply('log_group', 'a').fault).toBeUndefined();
    expect(kinds(faults, 1, 'b')).toEqual([undefined]);
    expect(kinds(faults, 1, 'a')).toEqual(['deny']);
  });

  it('spares the token services unless they are named', () => {
    const faults = new ScriptedFaults(Math.random);
    faults.script({ kind: 'deny' });
    expect(faults.apply('sts', '').fault).toBeUndefined();
    faults.script({ kind: 'throttle', target: 'sts' });
    expect(faults.apply('sts', '').fault?.kind).toBe('throttle');
  });

  it('adds up delays, and applies the oldest of the other faults', () => {
    const faults = new ScriptedFaults(Math.random);
    faults.script({ kind: 'slow', delayMs: 10 });
    faults.script({ kind: 'expired', times: 1 });
    faults.script({ kind: 'deny', times: 1 });
    faults.script({ kind: 'slow', delayMs: 20, times: 1 });
    expect(faults.apply('monitoring', 'a')).toMatchObject({ delayMs: 30, fault: { kind: 'expired' } });
    expect(faults.list()).toEqual([
      { kind: 'slow', delayMs: 10 },
      { kind: 'deny', times: 1 },
    ]);
    expect(faults.apply('monitoring', 'a')).toMatchObject({ delayMs: 10, fault: { kind: 'deny' } });
  });

  it('hits only calls with an event that contains the text', () => {
    const faults = new ScriptedFaults(Math.random);
    faults.script({ kind: 'malformed', contains: 'poison' });
    expect(faults.apply('monitoring', 'a', (text) => text === 'poison').fault?.kind).toBe('malformed');
    expect(faults.apply('monitoring', 'a', (text) => text === 'water').fault).toBeUndefined();
    expect(kinds(faults, 1)).toEqual([undefined]);
  });

  it('hits a share of the calls, the same ones for the same seed', () => {
    const share = hits(1).filter((kind) => kind === 'throttle').length;
    expect(share).toBeGreaterThan(150);
    expect(share).toBeLessThan(250);
    expect(hits(1)).toEqual(hits(1));
    expect(hits(2)).not.toEqual(hits(1));
  });
});

describe('a fault on the wire', () => {
  let sandbox: Sandbox;

  beforeAll(async () => {
    sandbox = await startSandbox({ seed: 3 });
  });

  afterEach(() => sandbox.clear());

  afterAll(() => sandbox.close());

  const post = async (signal?: AbortSignal) =>
    fetch(`${sandbox.url}/api/v2/logs`, {
      method: 'POST',
      headers: { 'dd-api-key': 'key', 'content-encoding': 'gzip' },
      body: new Uint8Array(gzipSync('[{"message":"a","service":"waybill"}]')),
      ...(signal === undefined ? {} : { signal }),
    });
  const script = (fault: Omit<Fault, 'target'>) => sandbox.script({ target: 'monitoring', times: 1, ...fault });
  const stored = () => sandbox.received().length;

  it.each([
    ['throttle', 429],
    ['deny', 403],
    ['not_found', 404],
    ['too_large', 413],
    ['malformed', 400],
    ['expired', 401],
    ['unavailable', 503],
  ] as const)('returns %s with its status, stores nothing, and takes the next call', async (kind, status) => {
    script({ kind });
    expect((await post()).status).toBe(status);
    expect(stored()).toBe(0);
    expect((await post()).status).toBe(202);
    expect(stored()).toBe(1);
  });

  it('sends no Retry-After unless it was scripted', async () => {
    script({ kind: 'throttle' });
    expect((await post()).headers.get('retry-after')).toBeNull();
    script({ kind: 'throttle', retryAfterSeconds: 3 });
    expect((await post()).headers.get('retry-after')).toBe('3');
  });

  it('counts calls that come before the end of a Retry-After', async () => {
    script({ kind: 'throttle', retryAfterSeconds: 300 });
    const waits = () => sandbox.earlyCalls();
    expect(waits()).toEqual([]);
    await post();
    expect(waits()).toEqual([{ target: 'monitoring', address: 'waybill', asked: 1, early: 0 }]);
    await post();
    expect(waits()).toMatchObject([{ asked: 1, early: 1 }]);
    sandbox.clear();
    script({ kind: 'throttle', retryAfterSeconds: 0.3 });
    await post();
    await new Promise((resolve) => setTimeout(resolve, 320));
    await post();
    expect(waits()).toMatchObject([{ asked: 1, early: 0 }]);
  });

  it('redirects to an address that accepts the call, even with other faults', async () => {
    script({ kind: 'redirect', times: 2 });
    const body = '[{"message":"a","service":"waybill"}]';
    const send = (redirect: 'manual' | 'follow') =>
      fetch(`${sandbox.url}/api/v2/logs?one=1`, {
        method: 'POST',
        redirect,
        body,
        headers: { 'dd-api-key': 'key' },
      });
    const response = await send('manual');
    expect(response.status).toBe(307);
    expect(response.headers.get('location')).toMatch(/^http:.*\/api\/v2\/logs\?one=1$/);
    expect(stored()).toBe(0);
    script({ kind: 'deny' });
    expect((await send('follow')).status).toBe(202);
    expect(stored()).toBe(1);
  });

  it('returns unavailable with a body that is not JSON', async () => {
    script({ kind: 'unavailable' });
    expect(await (await post()).text()).toMatch(/^<html>/);
  });

  it('closes the socket on reset, and counts a call without a response', async () => {
    script({ kind: 'reset' });
    await expect(post()).rejects.toThrow('fetch failed');
    expect(sandbox.calls()).toEqual([{ target: 'monitoring', operation: 'SubmitLog', status: 0, calls: 1 }]);
    expect(stored()).toBe(0);
  });

  it('never responds on timeout', async () => {
    script({ kind: 'timeout' });
    await expect(post(AbortSignal.timeout(200))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(stored()).toBe(0);
  });

  it.each(['timeout', 'reset', 'unavailable'] as const)('loses only the response on %s that accepts', async (kind) => {
    script({ kind, accepts: true });
    const patience = new AbortController();
    const call = post(patience.signal).catch(() => undefined);
    await vi.waitFor(() => expect(stored()).toBe(1), 60_000);
    patience.abort();
    await call;
  });

  it('delays the usual response on slow', async () => {
    script({ kind: 'slow', delayMs: 150 });
    const start = performance.now();
    expect((await post()).status).toBe(202);
    expect(performance.now() - start).toBeGreaterThan(140);
    expect(stored()).toBe(1);
  });

  it('fails whole calls at a target without partial failures', async () => {
    sandbox.script({ target: 'monitoring', kind: 'partial', ratio: 0.5 });
    const statuses = [];
    for (let call = 0; call < 40; call += 1) statuses.push((await post()).status);
    expect(new Set(statuses)).toEqual(new Set([202, 500]));
    expect(stored()).toBe(statuses.filter((status) => status === 202).length);
  });

  it('closes while calls are open', async () => {
    const other = await startSandbox();
    other.script({ kind: 'timeout' });
    const hanging = fetch(`${other.url}/api/v2/logs`, { method: 'POST', body: '[]' });
    hanging.catch(() => undefined);
    while (other.calls().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await other.close();
    await expect(hanging).rejects.toThrow('fetch failed');
  });
});
