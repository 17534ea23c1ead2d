import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../support/api-client.js';
import { signIn } from '../support/browser-session.js';
import { EventStream, type ServerEvent } from '../support/event-stream.js';
import { samples } from '../support/samples.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const PATH = '/event_destinations/status/stream';

let api: TestApi;
let streams: EventStream[] = [];
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());
afterEach(() => {
  for (const stream of streams) stream.close();
  streams = [];
});

async function follow(headers: Readonly<Record<string, string>>): Promise<EventStream> {
  const stream = await EventStream.open(`${api.baseUrl}${PATH}`, headers);
  streams.push(stream);
  return stream;
}

const withKey = (token: string | null) => follow({ authorization: `Bearer ${token ?? ''}`, 'service-version': '2' });

async function newDestination(client: TestClient = api.admin) {
  const body = await samples.event_destination?.create(client);
  return client.create('/event_destinations', { ...body, description: 'followed' });
}

function statusOf({ data }: ServerEvent, id: string) {
  const { statuses = [] } = data as { statuses?: readonly Readonly<Record<string, unknown>>[] };
  return statuses.find((status) => status.id === id);
}

describe('the stream of statuses', () => {
  it('begins with what the list of statuses has, and follows a pause, a new name, a new destination and a deletion', async () => {
    const { id, path } = await newDestination();
    const stream = await withKey(api.admin.token);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('cache-control')).toBe('no-store');
    const snapshot = await stream.next();
    expect(snapshot).toEqual({
      event: 'snapshot',
      data: { statuses: (await api.admin.get('/event_destinations/status')).body.statuses },
    });
    expect(snapshot && statusOf(snapshot, id)).toMatchObject({
      description: 'followed',
      status: 'healthy',
      paused: null,
    });

    await api.admin.patch(path, { paused: { reason: 'maintenance' } });
    const paused = await stream.until((event) => statusOf(event, id)?.status === 'paused');
    expect(paused.event).toBe('changed');
    expect(statusOf(paused, id)).toEqual((await api.admin.get(`${path}/status`)).body);
    await api.admin.patch(path, { description: 'renamed' });
    await stream.until((event) => statusOf(event, id)?.description === 'renamed');

    const other = await newDestination();
    await stream.until((event) => statusOf(event, other.id) !== undefined);
    await api.admin.delete(other.path);
    const removed = await stream.until(({ event }) => event === 'removed');
    expect(removed.data).toEqual({ ids: [other.id] });
  });

  it('shows what waits', async () => {
    const { id } = await newDestination();
    await api.admin.create('/event_subscriptions', {
      sources: [{ type: 'ip_policy_created.v0' }],
      destination_ids: [id],
    });
    const stream = await withKey(api.admin.token);
    await api.admin.create('/ip_policies', {});
    const waiting = await stream.until((event) => statusOf(event, id)?.pending === 1);
    expect(statusOf(waiting, id)?.oldest_pending_at).toEqual(expect.any(String));
    await api.admin.create('/ip_policies', {});
    await stream.until((event) => statusOf(event, id)?.pending === 2);
  });

  it('has nothing of another account', async () => {
    const stranger = await api.addAccount();
    const { id } = await newDestination();
    const stream = await withKey(stranger.token);
    expect(await stream.next()).toEqual({ event: 'snapshot', data: { statuses: [] } });
    await newDestination();
    const own = await newDestination(stranger);
    const changed = await stream.until((event) => statusOf(event, own.id) !== undefined);
    expect(changed.data.statuses).toHaveLength(1);
    expect(statusOf(changed, id)).toBeUndefined();
  });

  it('takes a session without the version header, as an EventSource of a browser sends it', async () => {
    const session = await signIn(api.baseUrl, { token: api.admin.token });
    const stream = await follow({ cookie: session.cookie });
    expect((await stream.next())?.event).toBe('snapshot');
  });

  it('is for keys that may read', async () => {
    const keyOf = async (role: string) => String((await api.admin.create('/api_keys', { role })).token);
    for (const role of ['operator', 'auditor']) {
      expect((await (await withKey(await keyOf(role))).next())?.event).toBe('snapshot');
    }
    await expect(withKey(await keyOf('publisher'))).rejects.toThrow(/^403: .*role_not_allowed/);
    await expect(follow({})).rejects.toThrow(/^401: .*credentials_missing/);
    await expect(follow({ authorization: `Bearer ${api.admin.token}` })).rejects.toThrow(/service_version_missing/);
  });

  it('has no body in the response to HEAD, and takes no parameters', async () => {
    const head = await api.admin.send('HEAD', PATH);
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect((await api.admin.get(`${PATH}?state=healthy`)).status).toBe(400);
  });

  it('refuses the eleventh stream of a key, until one of them is closed', async () => {
    const { token } = await api.admin.create('/api_keys', {});
    const opened = await Promise.all(Array.from({ length: 10 }, () => withKey(String(token))));
    await expect(withKey(String(token))).rejects.toThrow(/^429: .*rate_limited/);
    expect((await (await withKey(api.admin.token)).next())?.event).toBe('snapshot');
    opened[0]?.close();
    await expect
      .poll(
        () =>
          withKey(String(token)).then(
            () => true,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true);
  });

  it('ends when the key is deleted', async () => {
    const key = await api.admin.create('/api_keys', { role: 'auditor' });
    const stream = await withKey(String(key.token));
    await stream.next();
    await api.admin.delete(key.path);
    await expect(stream.ended()).resolves.toBeUndefined();
  });

  it('ends when the session is signed out, and other streams of the key do not', async () => {
    const key = await api.admin.create('/api_keys', { role: 'auditor' });
    const session = await signIn(api.baseUrl, { token: String(key.token) });
    const [stream, other] = [await follow({ cookie: session.cookie }), await withKey(String(key.token))];
    await other.next();
    await session.delete('/session');
    await stream.ended();
    const { id } = await newDestination();
    expect(await other.until((event) => statusOf(event, id) !== undefined)).toMatchObject({ event: 'changed' });
  });

  it('ends when the process stops, which does not wait for its clients', async () => {
    const stopping = await startTestApi({ SHUTDOWN_DEADLINE_MS: '60000' });
    const headers = { authorization: `Bearer ${stopping.admin.token}`, 'service-version': '2' };
    const stream = await EventStream.open(`${stopping.baseUrl}${PATH}`, headers);
    await stream.next();
    // At the deadline, the connection would break: the end would not be one of the stream.
    await expect(Promise.all([stream.ended(), stopping.close()])).resolves.toEqual([undefined, undefined]);
  });
});
