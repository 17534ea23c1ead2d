import { deflateSync, gzipSync } from 'node:zlib';
import { client, v1, v2 } from '@datadog/datadog-api-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox-contract.js';
import { startSandbox } from '../start-sandbox.js';

describe('the Datadog protocol', () => {
  let sandbox: Sandbox;

  beforeAll(async () => {
    sandbox = await startSandbox();
  });

  afterEach(() => sandbox.clear());

  afterAll(() => sandbox.close());

  const configuration = (apiKeyAuth: string) => {
    const made = client.createConfiguration({ authMethods: { apiKeyAuth }, enableRetry: false });
    made.setServerVariables({ site: 'datadoghq.com' });
    const server = new client.ServerConfiguration<Record<string, string>>(sandbox.url, {});
    made.servers = [server];
    made.operationServers = { 'v2.LogsApi.submitLog': [server] };
    return made;
  };
  const post = async (body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(`${sandbox.url}/api/v2/logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'dd-api-key': 'key', ...headers },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
  const check = (key: string) => new v1.AuthenticationApi(configuration(key)).validate();
  const bodies = () => sandbox.received({ target: 'monitoring' }).map(({ body }) => body);

  it('stores the entries that the SDK sends, compressed, under their service', async () => {
    const logs = new v2.LogsApi(configuration('key'));
    const entry = {
      message: '{"name":"ü"}',
      service: 'waybill',
      ddsource: 'waybill',
      additionalProperties: { status: 'info' },
    };
    await logs.submitLog({ body: [entry, { ...entry, message: 'two' }], contentEncoding: 'gzip' });
    const received = sandbox.received({ address: 'waybill' });
    expect(received.map(({ body }) => body)).toEqual(['{"name":"ü"}', 'two']);
    expect(JSON.parse(received[0]?.attributes ?? '')).toEqual({
      ddsource: 'waybill',
      service: 'waybill',
      status: 'info',
    });
  });

  it('validates an API key', async () => {
    await expect(check('key')).resolves.toMatchObject({ valid: true });
    await expect(check('invalid-key')).rejects.toMatchObject({ code: 403 });
  });

  it.each([
    ['no', (text: string) => Buffer.from(text), {}],
    ['gzip', gzipSync, { 'content-encoding': 'gzip' }],
    ['deflate', deflateSync, { 'content-encoding': 'deflate' }],
  ])('reads a body with %s encoding', async (_, encode, headers) => {
    expect((await post(encode('[{"message":"a"}]'), headers)).status).toBe(202);
    expect(bodies()).toEqual(['a']);
  });

  const long = 'a'.repeat(999_000);
  it.each([
    ['a wrong key', '[{"message":"a"}]', { 'dd-api-key': 'invalid-key' }, 403],
    ['no key', '[{"message":"a"}]', { 'dd-api-key': '' }, 401],
    ['a body that is not JSON', 'message', {}, 400],
    ['a body that is not what its encoding says', '[{"message":"a"}]', { 'content-encoding': 'gzip' }, 400],
    ['a message that is not a string', '[{"message":"a"},{"message":{"a":1}}]', {}, 400],
    ['1,001 entries', JSON.stringify(Array.from({ length: 1_001 }, () => ({ message: 'a' }))), {}, 400],
    ['more than 5 MB', JSON.stringify(Array.from({ length: 6 }, () => ({ message: long }))), {}, 413],
  ])('refuses all of a call with %s', async (_, body, headers, status) => {
    const response = await post(body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ errors: [expect.any(String)] });
    expect(bodies()).toEqual([]);
  });

  it('measures a call before its compression', async () => {
    const body = gzipSync(JSON.stringify(Array.from({ length: 6 }, () => ({ message: long }))));
    expect(body.length).toBeLessThan(100_000);
    expect((await post(body, { 'content-encoding': 'gzip' })).status).toBe(413);
  });

  it('cuts a message over 1 MB and drops an entry that is 18 hours old, with a success', async () => {
    const old = new Date(Date.now() - 18 * 3_600_000 - 1_000).toISOString();
    const body = JSON.stringify([{ message: 'a'.repeat(1_000_001) }, { message: 'old', timestamp: old }]);
    expect((await post(body)).status).toBe(202);
    expect(bodies().map(({ length }) => length)).toEqual([1_000_000]);
  });
});
