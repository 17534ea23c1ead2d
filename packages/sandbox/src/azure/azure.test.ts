import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { ClientSecretCredential } from '@azure/identity';
import { LogsIngestionClient } from '@azure/monitor-ingestion';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Sandbox } from '../sandbox-contract.js';
import { startSandbox } from '../start-sandbox.js';

const TENANT = '11111111-2222-4333-8444-555555555555';
const APPLICATION = '66666666-7777-4888-9999-aaaaaaaaaaaa';
const NOBODY = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const rule = `dcr-${'ab'.repeat(16)}`;
const STREAM = 'Custom-Waybill_CL';

const uploadPath = (ruleId: string, name: string, version = '?api-version=2023-01-01') =>
  `/dataCollectionRules/${ruleId}/streams/${name}${version}`;

describe('the Azure protocols', () => {
  let sandbox: Sandbox;
  let ca: string;

  beforeAll(async () => {
    sandbox = await startSandbox();
    ca = await readFile(sandbox.caFile, 'utf8');
  });

  afterEach(() => {
    vi.useRealTimers();
    sandbox.clear();
  });

  afterAll(() => sandbox.close());

  interface Identity {
    readonly tenantId?: string;
    readonly clientId?: string;
    readonly secret?: string;
  }
  const credentialOf = ({ tenantId = TENANT, clientId = APPLICATION, secret = 'good' }: Identity = {}) =>
    new ClientSecretCredential(tenantId, clientId, secret, {
      authorityHost: sandbox.tlsUrl,
      disableInstanceDiscovery: true,
      retryOptions: { maxRetries: 0 },
      tlsOptions: { ca },
    });
  const clientOf = (identity?: Identity) =>
    new LogsIngestionClient(sandbox.tlsUrl, credentialOf(identity), {
      retryOptions: { maxRetries: 0 },
      tlsOptions: { ca },
    });
  const tokenOf = async (identity?: Identity) =>
    (await credentialOf(identity).getToken('https://monitor.azure.com//.default')).token;

  /** Makes a call without an SDK, to read the whole response and to send invalid requests. */
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string> = {},
    body: string | Buffer = '',
  ) => {
    const sent = request(`${sandbox.tlsUrl}${path}`, { method, ca, headers });
    sent.end(body);
    const [response]: IncomingMessage[] = await once(sent, 'response');
    if (response === undefined) throw new Error('There was no response.');
    const content = await text(response);
    const parsed: unknown = content === '' ? undefined : JSON.parse(content);
    return { status: response.statusCode ?? 0, headers: response.headers, body: parsed };
  };
  const upload = async (
    body: string | Buffer,
    { path = `/dataCollectionRules/${rule}/streams/${STREAM}?api-version=2023-01-01`, token = '', headers = {} } = {},
  ) =>
    call(
      'POST',
      path,
      {
        'content-type': 'application/json',
        authorization: `Bearer ${token === '' ? await tokenOf() : token}`,
        ...headers,
      },
      body,
    );

  it('stores the rows that the SDK sends with a token that the SDK got', async () => {
    const client = clientOf();
    await client.upload(rule, STREAM, [{ TimeGenerated: '2026-11-01T00:00:00Z', name: 'ü' }, { name: 'two' }]);
    await client.upload(rule, STREAM, [{ name: 'three' }]);
    expect(sandbox.received({ target: 'log_ingestion', address: `${rule}/${STREAM}` }).map(({ body }) => body)).toEqual(
      ['{"TimeGenerated":"2026-11-01T00:00:00Z","name":"ü"}', '{"name":"two"}', '{"name":"three"}'],
    );
    expect(sandbox.calls()).toContainEqual({ target: 'entra', operation: 'Token', status: 200, calls: 1 });
    expect(sandbox.calls()).toContainEqual({
      target: 'log_ingestion',
      operation: 'Upload',
      status: 204,
      calls: 2,
    });
  });

  it.each([
    ['a secret that is wrong', { secret: 'wrong' }, 'AADSTS7000215'],
    ['a secret that has expired', { secret: 'expired' }, 'AADSTS7000222'],
    ['an application that is not there', { clientId: NOBODY }, 'AADSTS700016'],
  ])('gives no token for %s', async (_, identity, code) => {
    await expect(tokenOf(identity)).rejects.toThrow(code);
    await expect(clientOf(identity).upload(rule, STREAM, [{ name: 'a' }])).rejects.toMatchObject({
      name: 'AggregateLogsUploadError',
    });
    expect(sandbox.received()).toEqual([]);
  });

  it('refuses an unknown tenant', async () => {
    await expect(tokenOf({ tenantId: NOBODY })).rejects.toThrow('endpoints_resolution_error');
    expect(sandbox.calls()).toMatchObject([{ operation: 'OpenIdConfiguration', status: 400 }]);
  });

  it('returns a token request in the shape of Entra', async () => {
    const response = await call(
      'POST',
      `/${TENANT}/oauth2/v2.0/token`,
      { 'content-type': 'application/x-www-form-urlencoded' },
      new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: APPLICATION,
        client_secret: 'wrong',
        scope: 'https://monitor.azure.com/.default',
      }).toString(),
    );
    expect(response).toMatchObject({
      status: 401,
      body: {
        error: 'invalid_client',
        error_codes: [7_000_215],
        error_description: expect.stringMatching(/^AADSTS7000215: /),
      },
    });
  });

  it('issues no token for another resource', async () => {
    await expect(credentialOf().getToken('https://graph.microsoft.com/.default')).rejects.toThrow('AADSTS1002012');
  });

  it('accepts only tokens that Entra issued, until they expire', async () => {
    const token = await tokenOf();
    expect((await upload('[{"a":1}]', { token })).status).toBe(204);
    const [head = '', claims = ''] = token.split('.');
    for (const other of ['a', `${head}.${claims}.`, `${head}.${claims}.${'A'.repeat(43)}`]) {
      expect(await upload('[{"a":1}]', { token: other })).toMatchObject({
        status: 401,
        body: { error: { code: 'InvalidToken' } },
      });
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    expect(await upload('[{"a":1}]', { token })).toMatchObject({
      status: 401,
      body: { error: { code: 'TokenExpired' } },
    });
  });

  it('refuses an application without a role on the rule', async () => {
    const token = await tokenOf({ clientId: 'dddddddd-7777-4888-9999-aaaaaaaaaaaa' });
    const response = await upload('[{"a":1}]', { token });
    expect(response).toMatchObject({ status: 403, body: { error: { code: 'OperationFailed' } } });
    expect(response.headers['x-ms-error-code']).toBe('OperationFailed');
  });

  const row = JSON.stringify({ text: 'a'.repeat(1_000) });
  const rows = (bytes: number) => `[${Array.from({ length: Math.ceil(bytes / row.length) }, () => row).join(',')}]`;
  it.each([
    ['a rule that is not there', '[{}]', { path: uploadPath(`dcr-${'0'.repeat(32)}`, STREAM) }, 404, 'NotFound'],
    ['a rule that cannot be', '[{}]', { path: uploadPath('dcr-1', STREAM) }, 404, 'NotFound'],
    ['a stream that is not there', '[{}]', { path: uploadPath(rule, 'Custom-missing') }, 400, 'InvalidStream'],
    ['no version', '[{}]', { path: uploadPath(rule, STREAM, '') }, 400, 'InvalidApiVersion'],
    ['another content type', '[{}]', { headers: { 'content-type': 'text/plain' } }, 415, 'UnsupportedMediaType'],
    ['a body that is not an array', '{"a":1}', {}, 400, 'InvalidPayload'],
    ['rows that are not objects', '[{"a":1},2]', {}, 400, 'InvalidPayload'],
    ['more than 1 MiB', rows(1_048_577), {}, 413, 'ContentLengthLimitExceeded'],
    [
      'more than 1 MiB before its compression',
      gzipSync(rows(1_048_577)),
      { headers: { 'content-encoding': 'gzip' } },
      413,
      'ContentLengthLimitExceeded',
    ],
  ])('refuses all of a call with %s', async (_, body, options, status, code) => {
    expect(await upload(body, options)).toMatchObject({ status, body: { error: { code } } });
    expect(sandbox.received()).toEqual([]);
  });

  it('takes nearly 1 MiB', async () => {
    expect((await upload(rows(1_040_000))).status).toBe(204);
  });

  it('throttles with the wait that was scripted', async () => {
    sandbox.script({ target: 'log_ingestion', kind: 'throttle', retryAfterSeconds: 7, times: 1 });
    const response = await upload('[{"a":1}]');
    expect(response.status).toBe(429);
    expect(response.headers['retry-after']).toBe('7');
  });

  it.each([
    ['deny', 403, 'OperationFailed'],
    ['not_found', 404, 'NotFound'],
    ['too_large', 413, 'ContentLengthLimitExceeded'],
    ['malformed', 400, 'InvalidPayload'],
    ['expired', 401, 'TokenExpired'],
    ['partial', 500, 'InternalServerError'],
  ] as const)('returns %s with %i %s', async (kind, status, code) => {
    sandbox.script({ target: 'log_ingestion', kind, ratio: 1, times: 1 });
    expect(await upload('[{"a":1}]')).toMatchObject({ status, body: { error: { code } } });
    expect(sandbox.received()).toEqual([]);
  });

  it('finds a text in the rows of a call', async () => {
    sandbox.script({ target: 'log_ingestion', kind: 'malformed', contains: 'poison' });
    expect((await upload('[{"a":"water"}]')).status).toBe(204);
    expect((await upload('[{"a":"water"},{"a":"poison"}]')).status).toBe(400);
  });

  it('closes the socket on reset', async () => {
    sandbox.script({ target: 'log_ingestion', kind: 'reset', times: 1 });
    await expect(upload('[{"a":1}]')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it.each([
    ['deny', 'AADSTS7000215'],
    ['expired', 'AADSTS7000222'],
    ['throttle', 'AADSTS90055'],
    ['partial', 'AADSTS90033'],
  ] as const)('returns %s of Entra with %s', async (kind, code) => {
    // Past the discovery of the endpoints, which a client caches.
    const credential = credentialOf();
    await credential.getToken('https://monitor.azure.com/.default');
    sandbox.script({ target: 'entra', address: TENANT, kind, ratio: 1, times: 1 });
    await expect(credential.getToken('https://monitor.azure.cn/.default')).rejects.toThrow(code);
  });

  it('serves the discovery documents that clients read before they trust an authority', async () => {
    const endpoint = `${sandbox.tlsUrl}/${TENANT}/oauth2/v2.0/authorize`;
    const query = new URLSearchParams({ 'api-version': '1.1', authorization_endpoint: endpoint });
    const response = await call('GET', `/common/discovery/instance?${query.toString()}`);
    const configuration = `/${TENANT}/v2.0/.well-known/openid-configuration`;
    expect(response.body).toMatchObject({
      tenant_discovery_endpoint: `${sandbox.tlsUrl}${configuration}`,
      metadata: [{ aliases: [new URL(sandbox.tlsUrl).host] }],
    });
    expect((await call('GET', configuration)).body).toMatchObject({
      issuer: `${sandbox.tlsUrl}/${TENANT}/v2.0`,
      token_endpoint: `${sandbox.tlsUrl}/${TENANT}/oauth2/v2.0/token`,
    });
  });
});
