import { Waybill, WaybillError, WaybillNetworkError, WaybillResponseError } from '@waybill/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { startFaultyProxy, type FaultyProxy } from './faulty-proxy.js';

let api: TestApi;
let proxy: FaultyProxy;
let waybill: Waybill;
beforeAll(async () => {
  api = await startTestApi();
  proxy = await startFaultyProxy(api.baseUrl);
  waybill = new Waybill({ url: proxy.url, key: api.admin.token ?? '' });
});
afterAll(async () => {
  await proxy.close();
  await api.close();
});

let before = 0;
beforeEach(() => {
  proxy.script();
  before = proxy.requests.length;
});

/** The requests of this test. */
const requests = () => proxy.requests.slice(before);

async function policiesNamed(description: string): Promise<number> {
  let count = 0;
  for await (const policy of waybill.ipPolicies.list({ limit: 100 }))
    if (policy.description === description) count += 1;
  return count;
}

describe('a create', () => {
  it.each([
    ['a 502', { status: 502 }],
    ['a 503', { status: 503, headers: { 'retry-after': '0' } }],
    ['a 504', { status: 504 }],
    ['a 429', { status: 429 }],
    ['a response that was lost after the change', 'drop'],
  ] as const)('makes one resource in spite of %s', async (name, fault) => {
    proxy.script(fault);
    const { id } = await waybill.ipPolicies.create({ description: name });
    const [first, second, ...others] = requests();
    expect(others).toEqual([]);
    expect(second).toEqual({ request: 'POST /ip_policies', key: first?.key });
    expect(second?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(await policiesNamed(name)).toBe(1);
    expect((await waybill.ipPolicies.get(id)).description).toBe(name);
  });

  it('has a key of its own, or that of the caller', async () => {
    await waybill.ipPolicies.create();
    const { id } = await waybill.ipPolicies.create({}, { idempotencyKey: 'order-1042' });
    const again = await waybill.ipPolicies.create({}, { idempotencyKey: 'order-1042' });
    expect(again.id).toBe(id);
    const keys = requests().map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
    expect(keys.slice(1)).toEqual(['order-1042', 'order-1042']);
  });

  it('of an API key has no token if the first response was lost', async () => {
    proxy.script('drop');
    const { id, token } = await waybill.apiKeys.create({ description: 'lost' });
    expect(token).toBeNull();
    await waybill.apiKeys.delete(id);
  });

  it('is not repeated when the input is invalid', async () => {
    await expect(waybill.botUsers.create({ name: '' })).rejects.toThrow(WaybillError);
    expect(requests()).toHaveLength(1);
  });
});

describe('a request that is repeated', () => {
  it('is a read, an update and a replacement too', async () => {
    const { id } = await waybill.ipPolicies.create();
    const edge = await waybill.tcpEdges.create();
    before = proxy.requests.length;
    proxy.script('drop');
    await waybill.ipPolicies.get(id);
    proxy.script('drop');
    expect(await waybill.ipPolicies.update(id, { description: 'new' })).toMatchObject({ description: 'new' });
    proxy.script('drop');
    await waybill.tcpEdges.replaceIpRestriction(edge.id, { ip_policy_ids: [id] });
    expect(requests().map(({ request }) => request.split(' ')[0])).toEqual([
      'GET',
      'GET',
      'PATCH',
      'PATCH',
      'PUT',
      'PUT',
    ]);
    expect(requests().map(({ key }) => key)).toEqual(Array(6).fill(undefined));
  });

  it('is a deletion: that the first attempt has deleted the resource is no error', async () => {
    const { id } = await waybill.ipPolicies.create();
    proxy.script('drop');
    await expect(waybill.ipPolicies.delete(id)).resolves.toBeUndefined();
    await expect(waybill.ipPolicies.delete(id)).rejects.toMatchObject({ status: 404, errorCode: 'not_found' });
  });

  it('fails after `maxRetries` retries, with the last error', async () => {
    const bad = { status: 503 };
    proxy.script(bad, bad, bad, bad);
    const failure = waybill.ipPolicies.create({}, { maxRetries: 2 });
    await expect(failure).rejects.toThrow(WaybillResponseError);
    await expect(failure).rejects.toMatchObject({ status: 503 });
    expect(requests()).toHaveLength(3);
    proxy.script('drop');
    await expect(waybill.ipPolicies.list().page()).resolves.toBeDefined();
    proxy.script('drop');
    await expect(waybill.request('listIpPolicies', { maxRetries: 0 })).rejects.toThrow(WaybillNetworkError);
  });
});

describe('an update with If-Match', () => {
  it('is repeated only where it was not begun, because its repetition could not tell its own change', async () => {
    const { id } = await waybill.ipPolicies.create();
    const { headers } = await waybill.request('getIpPolicy', { path: { id } });
    const ifMatch = headers.get('etag') ?? '';
    before = proxy.requests.length;
    proxy.script('drop');
    await expect(waybill.ipPolicies.update(id, { description: 'one' }, { ifMatch })).rejects.toThrow(
      WaybillNetworkError,
    );
    expect(requests()).toHaveLength(1);
    await expect(waybill.ipPolicies.update(id, { description: 'two' }, { ifMatch })).rejects.toMatchObject({
      status: 412,
      errorCode: 'precondition_failed',
    });
    const current = (await waybill.request('getIpPolicy', { path: { id } })).headers.get('etag') ?? '';
    proxy.script({ status: 429 });
    const changed = await waybill.ipPolicies.update(id, { description: 'two' }, { ifMatch: current });
    expect(changed.description).toBe('two');
  });
});
