import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startLoopback } from '../../../test/support/loopback-server.js';
import type { LoopbackResponse, LoopbackRequest, LoopbackServer } from '../../../test/support/loopback-server.js';
import { exampleEvent, exampleEvents } from '../../../test/targets/conformance/events.js';
import type { Connection } from '../target.js';
import { monitoring } from './target.js';

const API_KEY = 'k3y0000000000000000000000000000a';
const soon = () => AbortSignal.timeout(200_000);
const entriesOf = (request: LoopbackRequest | undefined): Record<string, unknown>[] => {
  const body: unknown = JSON.parse(request?.body ?? '[]');
  if (!Array.isArray(body)) throw new TypeError('Not an array.');
  return body;
};

describe('responses of Datadog through its own client', () => {
  let respond: (request: LoopbackRequest) => LoopbackResponse;
  let server: LoopbackServer;
  let connection: Connection;
  const connect = (api_key: string | null = API_KEY): Connection =>
    monitoring.connect(
      { api_key, tags: 'env:test', service: 'audit', site: 'datadoghq.eu' },
      {
        destinationId: 'ed_1',
        externalId: '',
        settings: { sendTimeoutMs: 300_000, monitoringEndpoint: `${server.url}/` },
      },
    );
  beforeAll(() => monitoring.loadClient(), 120_000);
  beforeEach(async () => {
    respond = () => ({ status: 202, body: '{}' });
    server = await startLoopback((request) => respond(request));
    connection = connect();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await connection.close();
    await server.close();
  });

  it('makes one compressed call with the key in a header and whole entries', async () => {
    const events = exampleEvents(3);
    expect(await connection.send(events, soon())).toEqual(events.map(() => ({ kind: 'delivered' })));
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/api/v2/logs' });
    expect(request?.headers).toMatchObject({
      'dd-api-key': API_KEY,
      'content-encoding': 'gzip',
      'content-type': 'application/json',
    });
    expect(entriesOf(request)).toEqual(
      events.map((event) => ({
        message: event.json,
        ddsource: 'waybill',
        service: 'audit',
        ddtags: 'env:test',
        timestamp: event.timestampMs,
        status: 'info',
      })),
    );
  });

  it('keeps its connection alive from call to call', async () => {
    await connection.send(exampleEvents(1), soon());
    await connection.send(exampleEvents(1), soon());
    expect(server.requests).toHaveLength(2);
    expect(server.connections()).toBe(1);
  });

  it.each([
    [200, 'misconfigured'],
    [204, 'misconfigured'],
    [400, 'rejected'],
    [401, 'misconfigured'],
    [403, 'misconfigured'],
    [404, 'misconfigured'],
    [408, 'retry'],
    [413, 'rejected'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
    [599, 'retry'],
    [307, 'misconfigured'],
    [418, 'misconfigured'],
  ])('means by %d: %s', async (status, kind) => {
    respond = () => ({
      status,
      body: `{"errors":["text of the vendor"]}`,
      headers: { 'content-type': 'application/json' },
    });
    const [outcome] = await connection.send([exampleEvent(1)], soon());
    expect(outcome).toMatchObject({ kind, reason: { code: `http_${status}`, httpStatus: status } });
    expect(JSON.stringify(outcome)).not.toContain('text of the vendor');
    expect(server.requests).toHaveLength(1);
  });

  it('returns the wait of either header', async () => {
    respond = () => ({ status: 429, headers: { 'retry-after': '12', 'x-ratelimit-reset': '3' } });
    expect(await connection.send([exampleEvent(1)], soon())).toMatchObject([{ kind: 'retry', afterMs: 12_000 }]);
    respond = () => ({ status: 429, headers: { 'x-ratelimit-reset': '3' } });
    expect(await connection.send([exampleEvent(1)], soon())).toMatchObject([{ kind: 'retry', afterMs: 3000 }]);
  });

  it('ignores the reset of a rate limit when another error caused the response', async () => {
    respond = () => ({ status: 503, headers: { 'x-ratelimit-reset': '3400' } });
    expect((await connection.send([exampleEvent(1)], soon()))[0]).not.toHaveProperty('afterMs');
    respond = () => ({ status: 503, headers: { 'retry-after': '12' } });
    expect(await connection.send([exampleEvent(1)], soon())).toMatchObject([{ kind: 'retry', afterMs: 12_000 }]);
  });

  it('follows no redirect, so that no other host gets the key', async () => {
    const other = await startLoopback(() => ({ status: 202 }));
    respond = () => ({ status: 307, headers: { location: `${other.url}/api/v2/logs` } });
    const outcomes = await connection.send([exampleEvent(1)], soon());
    expect(outcomes).toMatchObject([{ kind: 'misconfigured', reason: { code: 'http_307' } }]);
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it('finds the entry that causes a 400, and delivers the others', async () => {
    const events = exampleEvents(16);
    const poison = events[11]?.json ?? '';
    respond = (request) => ({
      status: entriesOf(request).some((entry) => entry['message'] === poison) ? 400 : 202,
    });
    const outcomes = await connection.send(events, soon());
    expect(outcomes.map(({ kind }) => kind)).toEqual(
      events.map((event) => (event.json === poison ? 'rejected' : 'delivered')),
    );
  });

  it('bisects a call that gets a 413', async () => {
    respond = (request) => ({ status: entriesOf(request).length > 3 ? 413 : 202 });
    const events = exampleEvents(10);
    expect(await connection.send(events, soon())).toEqual(events.map(() => ({ kind: 'delivered' })));
    const arrived = server.requests.filter((request) => entriesOf(request).length <= 3);
    expect(arrived.flatMap((request) => entriesOf(request)).map((entry) => entry['message'])).toEqual(
      events.map((event) => event.json),
    );
  });

  it('reads neither key nor site from the environment', async () => {
    vi.stubEnv('DD_API_KEY', 'operators-own-key');
    vi.stubEnv('DD_APP_KEY', 'operators-own-key');
    vi.stubEnv('DD_SITE', 'evil.example');
    await connection.send([exampleEvent(1)], soon());
    expect(JSON.stringify(server.requests.map(({ headers }) => headers))).not.toContain('operators-own-key');
    expect(await connect(null).send([exampleEvent(1)], soon())).toMatchObject([
      { kind: 'misconfigured', reason: { code: 'missing_api_key' } },
    ]);
    expect(server.requests).toHaveLength(1);
  });

  it('retries after a timeout, and when nothing listens', async () => {
    respond = () => 'never';
    expect(await connection.send(exampleEvents(2), AbortSignal.timeout(150))).toMatchObject([
      { kind: 'retry', reason: { code: 'timeout' } },
      { kind: 'retry', reason: { code: 'timeout' } },
    ]);
    await server.close();
    expect(await connection.send([exampleEvent(1)], soon())).toMatchObject([
      { kind: 'retry', reason: { code: 'ECONNREFUSED' } },
    ]);
    server = await startLoopback(() => ({ status: 202 }));
  });
});
