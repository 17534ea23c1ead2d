import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from './sandbox-contract.js';
import { startSandbox } from './start-sandbox.js';

describe('the controls', () => {
  let sandbox: Sandbox;

  beforeAll(async () => {
    sandbox = await startSandbox();
  });

  afterEach(() => sandbox.clear());

  afterAll(() => sandbox.close());

  const control = async (method: string, path: string, body?: unknown) =>
    fetch(`${sandbox.url}/_sandbox/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const log = async (...messages: readonly string[]) =>
    fetch(`${sandbox.url}/api/v2/logs`, {
      method: 'POST',
      headers: { 'dd-api-key': 'key' },
      body: JSON.stringify(messages.map((message) => ({ message, service: 'waybill' }))),
    });
  const lines = async (query: string): Promise<unknown[]> => {
    const text = await (await control('GET', `received?${query}`)).text();
    return text
      .split('\n')
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line));
  };

  it('report health and addresses', async () => {
    expect(await (await control('GET', 'health')).json()).toEqual({ status: 'ok' });
    expect(await (await control('GET', 'environment')).json()).toEqual(sandbox.environment);
    expect(await (await control('GET', 'ca.pem')).text()).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });

  it('script a fault, list it and remove it', async () => {
    expect((await control('POST', 'faults', { target: 'monitoring', kind: 'deny', times: 3 })).status).toBe(201);
    expect((await log('a')).status).toBe(403);
    expect(await (await control('GET', 'faults')).json()).toEqual([{ target: 'monitoring', kind: 'deny', times: 2 }]);
    expect((await control('DELETE', 'faults')).status).toBe(204);
    expect((await log('a')).status).toBe(202);
  });

  it.each([
    ['no kind', {}],
    ['a kind that is none', { kind: 'odd' }],
    ['a member that is none', { kind: 'deny', often: true }],
    ['a ratio above 1', { kind: 'partial', ratio: 2 }],
  ])('refuse a fault with %s', async (_, fault) => {
    const response = await control('POST', 'faults', fault);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.any(String) });
    expect((await log('a')).status).toBe(202);
  });

  it('return the received events page by page', async () => {
    await log('one', 'two', 'three');
    const [first, second] = await lines('target=monitoring&address=waybill&limit=2');
    expect([first, second]).toMatchObject([{ body: 'one' }, { body: 'two' }]);
    const position = sandbox.received()[1]?.position ?? 0;
    expect(await lines(`after=${position}`)).toMatchObject([{ body: 'three' }]);
    expect(await lines('target=log_group')).toEqual([]);
    expect((await control('GET', 'received?target=odd')).status).toBe(400);
  });

  it('return the received events as an export of the vendor has them', async () => {
    await log('{"b":0.5,"a":"ü","c":null}', 'no JSON');
    const response = await control('GET', 'export?target=monitoring&address=waybill');
    const [first, second] = (await response.text()).split('\n');
    expect(first).toContain('"attributes":{"b": 5e-1, "a": "\\u00fc"}');
    expect(JSON.parse(second ?? '')).toMatchObject({ attributes: { message: 'no JSON' } });
    expect((await control('GET', 'export')).status).toBe(400);
  });

  it('stream 100,000 events whole and in order', async () => {
    const messages = Array.from({ length: 1_000 }, (_, index) => `event ${index}`);
    for (let call = 0; call < 100; call += 1) await log(...messages);
    const received = await lines('');
    expect(received).toHaveLength(100_000);
    expect(received.at(-1)).toMatchObject({ body: 'event 999' });
  });

  it('count calls and events, and delete the counts with or without the faults', async () => {
    await log('a', 'b');
    expect(await (await control('GET', 'calls')).json()).toEqual([
      { target: 'monitoring', operation: 'SubmitLog', status: 202, calls: 1 },
    ]);
    expect(await (await control('GET', 'counts')).json()).toMatchObject([
      { target: 'monitoring', address: 'waybill', events: 2, bytes: 2 },
    ]);
    sandbox.script({ target: 'monitoring', kind: 'deny' });
    await control('DELETE', 'received');
    expect(sandbox.received()).toEqual([]);
    expect(sandbox.calls()).toEqual([]);
    expect((await log('a')).status).toBe(403);
    await control('POST', 'clear');
    expect((await log('a')).status).toBe(202);
  });

  it('make the sandbox stop listening for a time', async () => {
    expect((await control('POST', 'away', {})).status).toBe(400);
    expect((await control('POST', 'away', { forMs: 300 })).status).toBe(202);
    const refused = async () => {
      const response: unknown = await log('a').catch((error: unknown) => error);
      return response instanceof TypeError;
    };
    while (!(await refused())) await new Promise((resolve) => setTimeout(resolve, 5));
    while (await refused()) await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await log('b')).status).toBe(202);
    expect(await (await control('GET', 'early-calls')).json()).toEqual([]);
  });

  it('respond with 404 to a request that belongs to no protocol and no control', async () => {
    expect((await control('GET', 'odd')).status).toBe(404);
    expect((await fetch(`${sandbox.url}/odd`)).status).toBe(404);
  });
});
