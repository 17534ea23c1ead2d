import { copyFile } from 'node:fs/promises';
import { openAuthority, type SandboxAuthority } from '@waybill/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startLoopback } from '../../../test/support/loopback-server.js';
import type { LoopbackResponse, LoopbackRequest, LoopbackServer } from '../../../test/support/loopback-server.js';
import { exampleEvent, exampleEvents } from '../../../test/targets/conformance/events.js';
import type { Connection } from '../target.js';
import { tokenOutcome } from './errors.js';
import { logIngestion } from './target.js';

const TENANT = '11111111-2222-4333-8444-555555555555';
const CLIENT_SECRET = 'a~secret.value';
const RULE = 'dcr-0123456789abcdef0123456789abcdef';
const soon = () => AbortSignal.timeout(60_000);

const json = (status: number, body: unknown, headers: Record<string, string> = {}): LoopbackResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const failure = (status: number, code: string, headers?: Record<string, string>): LoopbackResponse =>
  json(status, { error: { code, message: 'text of the vendor' } }, headers);
const isIngestion = ({ path }: LoopbackRequest) => path.startsWith('/dataCollectionRules/');
const isToken = ({ path }: LoopbackRequest) => path.includes('/oauth2/v2.0/token?');
const rowsOf = ({ body }: LoopbackRequest): Record<string, unknown>[] => {
  const rows: unknown = JSON.parse(body);
  if (!Array.isArray(rows)) throw new TypeError('Not an array.');
  return rows;
};

describe('responses of Azure through its own client and credential', () => {
  let authority: SandboxAuthority;
  let server: LoopbackServer;
  let connection: Connection;
  let tokens: number;
  let ingest: (request: LoopbackRequest) => LoopbackResponse;
  let token: (request: LoopbackRequest) => LoopbackResponse;

  const ingestions = () => server.requests.filter((request) => isIngestion(request));
  const goodToken = (expires_in = 3599): LoopbackResponse => {
    tokens += 1;
    return json(200, {
      token_type: 'Bearer',
      expires_in,
      ext_expires_in: expires_in,
      access_token: `token-${tokens}`,
    });
  };
  const respond = (request: LoopbackRequest): LoopbackResponse => {
    if (isIngestion(request)) return ingest(request);
    if (isToken(request)) return token(request);
    const at = `${server.url}/${TENANT}`;
    return json(200, {
      issuer: `${at}/v2.0`,
      authorization_endpoint: `${at}/oauth2/v2.0/authorize`,
      token_endpoint: `${at}/oauth2/v2.0/token`,
      jwks_uri: `${at}/discovery/v2.0/keys`,
    });
  };
  const connect = (
    cloud = 'com',
    secret: string | null = CLIENT_SECRET,
    caFile = authority.caFile,
    sendTimeoutMs = 20_000,
  ): Connection =>
    logIngestion.connect(
      {
        tenant_id: TENANT,
        client_id: 'aaaaaaaa-2222-4333-8444-555555555555',
        client_secret: secret,
        logs_ingestion_uri: `https://test.westeurope-1.ingest.monitor.azure.${cloud}`,
        data_collection_rule_id: RULE,
        data_collection_stream_name: 'Custom-Test_CL',
      },
      {
        destinationId: 'ed_1',
        externalId: '',
        settings: {
          sendTimeoutMs,
          logIngestionEndpoint: server.url,
          logIngestionAuthority: server.url,
          logIngestionCaFile: caFile,
        },
      },
    );

  beforeAll(async () => {
    authority = await openAuthority(['localhost']);
  });
  beforeEach(async () => {
    tokens = 0;
    ingest = () => ({ status: 204 });
    token = () => goodToken();
    server = await startLoopback(respond, authority.server);
    connection = connect();
  });
  afterEach(async () => {
    await connection.close();
    await server.close();
  });
  afterAll(() => authority.dispose());

  it('throws when the operator’s CA file cannot be read, and delivers once it can', async () => {
    const file = `${authority.caFile}.later`;
    const late = connect('com', CLIENT_SECRET, file);
    await expect(late.send([exampleEvent(1)], soon())).rejects.toThrow(`LOG_INGESTION_CA_FILE cannot be read: ${file}`);
    await copyFile(authority.caFile, file);
    expect(await late.send([exampleEvent(1)], soon())).toEqual([{ kind: 'delivered' }]);
    await late.close();
  });

  it('makes one compressed call, with a token that is requested once', async () => {
    const events = exampleEvents(3);
    expect(await connection.send(events, soon())).toEqual(events.map(() => ({ kind: 'delivered' })));
    await connection.send([exampleEvent(4)], soon());
    const [first, second] = ingestions();
    const address = new URL(first?.path ?? '', server.url);
    expect(address.pathname).toBe(`/dataCollectionRules/${RULE}/streams/Custom-Test_CL`);
    expect(address.searchParams.get('api-version')).toBe('2023-01-01');
    expect(first && rowsOf(first)).toEqual(
      events.map(({ json: payload, timestampMs }): unknown => ({
        ...JSON.parse(payload),
        TimeGenerated: new Date(timestampMs).toISOString(),
      })),
    );
    expect(first?.headers).toMatchObject({ authorization: 'Bearer token-1', 'content-encoding': 'gzip' });
    expect(second?.headers.authorization).toBe('Bearer token-1');
    expect(tokens).toBe(1);
  });

  it('sends the payload as it is, character by character', async () => {
    const event = {
      ...exampleEvent(1, { timestampMs: 0 }),
      json: '{"n":1.0,"large":12345678901234567890,"text":"ü€"}',
    };
    await connection.send([event, event], soon());
    const row = '{"n":1.0,"large":12345678901234567890,"text":"ü€","TimeGenerated":"1970-01-01T00:00:00.000Z"}';
    expect(ingestions().map(({ body }) => body)).toEqual([`[${row},${row}]`]);
    expect(ingestions()[0]?.headers['content-type']).toBe('application/json');
  });

  it.each([
    ['com', 'https://monitor.azure.com/.default'],
    ['us', 'https://monitor.azure.us/.default'],
    ['cn', 'https://monitor.azure.cn/.default'],
  ])('requests for an address in .%s a token for %s', async (cloud, scope) => {
    await connect(cloud).send([exampleEvent(1)], soon());
    const body = new URLSearchParams(server.requests.find((request) => isToken(request))?.body);
    expect(body.get('scope')?.split(' ')).toContain(scope);
    expect(body.get('grant_type')).toBe('client_credentials');
    expect(server.requests.filter(({ path }) => path.includes('discovery/instance'))).toEqual([]);
  });

  it.each([
    [400, 'InvalidPayload', 'rejected'],
    [400, 'InvalidStream', 'misconfigured'],
    [403, 'OperationFailed', 'misconfigured'],
    [404, 'NotFound', 'misconfigured'],
    [408, 'RequestTimeout', 'retry'],
    [413, 'ContentLengthLimitExceeded', 'rejected'],
    [418, 'Teapot', 'misconfigured'],
    [429, 'TooManyRequests', 'retry'],
    [500, 'InternalServerError', 'retry'],
    [503, 'ServiceUnavailable', 'retry'],
  ])('reads %d %s as %s', async (status, code, kind) => {
    ingest = () => failure(status, code);
    const [outcome] = await connection.send([exampleEvent(1)], soon());
    expect(outcome).toMatchObject({ kind, reason: { code, httpStatus: status } });
    expect(JSON.stringify(outcome)).not.toContain('text of the vendor');
    expect(ingestions()).toHaveLength(1);
  });

  it('keeps the status of a response that is not JSON, whatever its content type', async () => {
    for (const type of ['text/html', 'application/json']) {
      ingest = () => ({ status: 502, headers: { 'content-type': type }, body: '<html>' });
      expect(await connection.send([exampleEvent(1)], soon())).toMatchObject([
        { kind: 'retry', reason: { code: 'http_502', httpStatus: 502 } },
      ]);
    }
  });

  it('does not take the 200 of a proxy for a delivery', async () => {
    for (const type of ['text/html', 'application/json']) {
      ingest = () => ({ status: 200, headers: { 'content-type': type }, body: '<html>' });
      expect(await connection.send([exampleEvent(1)], soon())).toMatchObject([
        { kind: 'misconfigured', reason: { code: 'http_200', httpStatus: 200 } },
      ]);
    }
  });

  it('returns the wait of Retry-After at once', async () => {
    ingest = () => failure(429, 'TooManyRequests', { 'retry-after': '600' });
    expect(await connection.send([exampleEvent(1)], soon())).toMatchObject([{ kind: 'retry', afterMs: 600_000 }]);
    expect(ingestions()).toHaveLength(1);
  });

  it('finds the row that causes a 400, and delivers the others', async () => {
    const events = exampleEvents(16);
    const poison = events[4]?.id;
    ingest = (request) =>
      rowsOf(request).some((row) => row['event_id'] === poison) ? failure(400, 'InvalidPayload') : { status: 204 };
    const outcomes = await connection.send(events, soon());
    expect(outcomes.map(({ kind }) => kind)).toEqual(
      events.map(({ id }) => (id === poison ? 'rejected' : 'delivered')),
    );
  });

  it('repeats a call once with a new token after a 401', async () => {
    ingest = ({ headers }) =>
      headers.authorization === 'Bearer token-1' ? failure(401, 'TokenExpired') : { status: 204 };
    expect(await connection.send([exampleEvent(1)], soon())).toEqual([{ kind: 'delivered' }]);
    expect(tokens).toBe(2);
    ingest = () => failure(401, 'InvalidToken');
    expect(await connection.send([exampleEvent(2)], soon())).toMatchObject([
      { kind: 'misconfigured', reason: { code: 'InvalidToken', httpStatus: 401 } },
    ]);
    expect(ingestions()).toHaveLength(4);
  });

  it('follows no redirect, with neither the rows nor the secret', async () => {
    const other = await startLoopback(() => ({ status: 204 }), authority.server);
    for (const status of [303, 307, 308]) {
      ingest = () => ({ status, headers: { location: `${server.url}/elsewhere` } });
      expect(await connection.send([exampleEvent(1)], soon())).toMatchObject([
        { kind: 'misconfigured', reason: { code: `http_${status}` } },
      ]);
    }
    token = () => ({ status: 307, headers: { location: `${other.url}/elsewhere` } });
    expect(await connect().send([exampleEvent(1)], soon())).toMatchObject([
      { kind: 'retry', reason: { code: 'http_307' } },
    ]);
    expect([...other.requests, ...server.requests.filter(({ path }) => path === '/elsewhere')]).toEqual([]);
    await other.close();
  });

  it.each([
    ['invalid_client', 401, 7_000_215, 'misconfigured', 'AADSTS7000215'],
    ['invalid_client', 401, 7_000_222, 'misconfigured', 'AADSTS7000222'],
    ['unauthorized_client', 400, 700_016, 'misconfigured', 'AADSTS700016'],
    ['invalid_tenant', 400, 90_002, 'misconfigured', 'AADSTS90002'],
    ['invalid_grant', 400, 50_196, 'retry', 'AADSTS50196'],
    ['temporarily_unavailable', 429, 90_055, 'retry', 'AADSTS90055'],
    ['invalid_client', 503, 7_000_215, 'retry', 'AADSTS7000215'],
    ['never_heard_of', 400, 1, 'retry', 'AADSTS1'],
  ])('reads %s (%d, %d) of the token service as %s', async (error, status, number, kind, code) => {
    token = () =>
      json(
        status,
        { error, error_description: `AADSTS${number}: text of the vendor`, error_codes: [number] },
        { 'retry-after': '9' },
      );
    const [outcome] = await connection.send([exampleEvent(1)], soon());
    expect(outcome).toMatchObject({ kind, reason: { code, httpStatus: status } });
    expect(JSON.stringify(outcome)).not.toMatch(/text of the vendor|a~secret/);
    expect(outcome).toMatchObject(kind === 'retry' ? { afterMs: 9000 } : {});
    expect(server.requests.filter((request) => isToken(request))).toHaveLength(1);
    expect(ingestions()).toEqual([]);
    token = () => goodToken();
    expect(await connection.send([exampleEvent(1)], soon())).toEqual([{ kind: 'delivered' }]);
  });

  it('requests a new token when the old one expires, and retries when there is none', async () => {
    token = () => goodToken(1);
    expect(await connection.send([exampleEvent(1)], soon())).toEqual([{ kind: 'delivered' }]);
    expect(await connection.send([exampleEvent(2)], soon())).toEqual([{ kind: 'delivered' }]);
    expect(tokens).toBe(2);
    token = () => ({ status: 503, body: 'down' });
    expect(await connection.send([exampleEvent(3)], soon())).toMatchObject([
      { kind: 'retry', reason: { code: 'http_503' } },
    ]);
  });

  it('retries when the call or the wait for its token times out', async () => {
    const timeout = { kind: 'retry', reason: { code: 'timeout' } };
    ingest = () => 'never';
    expect(await connection.send([exampleEvent(1)], AbortSignal.timeout(800))).toMatchObject([timeout]);
    token = () => 'never';
    expect(await connect().send([exampleEvent(1)], AbortSignal.timeout(300))).toMatchObject([timeout]);
  });

  it('requests a token again after a token response that breaks off within its compressed body', async () => {
    const brief = connect('com', CLIENT_SECRET, authority.caFile, 1_000);
    const headers = { 'content-encoding': 'gzip', 'content-length': '500' };
    token = () => ({ status: 200, headers, body: '\u001f' });
    expect(await brief.send([exampleEvent(1)], AbortSignal.timeout(3_000))).toMatchObject([
      { kind: 'retry', reason: { code: 'token_unavailable' } },
    ]);
    token = () => goodToken();
    expect(await brief.send([exampleEvent(1)], soon())).toEqual([{ kind: 'delivered' }]);
    await brief.close();
  });

  it('retries when nothing listens', async () => {
    await server.close();
    expect(await connection.send([exampleEvent(1)], soon())).toMatchObject([
      { kind: 'retry', reason: { code: 'ECONNREFUSED' } },
    ]);
    server = await startLoopback(respond, authority.server);
  });

  it('is misconfigured without a secret, whatever credentials the process has', async () => {
    expect(await connect('com', null).send([exampleEvent(1)], soon())).toMatchObject([
      { kind: 'misconfigured', reason: { code: 'missing_client_secret' } },
    ]);
    expect(server.requests).toEqual([]);
  });
});

describe('tokenOutcome', () => {
  it('retries an unknown failure', () => {
    expect(tokenOutcome({})).toMatchObject({ kind: 'retry', reason: { code: 'token_unavailable' } });
    expect(tokenOutcome({ socketCode: 'ENOTFOUND' })).toMatchObject({
      kind: 'retry',
      reason: { code: 'ENOTFOUND' },
    });
  });

  it('never shows free text as a code', () => {
    expect(tokenOutcome({ status: 400, oauthError: 'some <text>' })).toMatchObject({
      reason: { code: 'http_400' },
    });
  });
});
