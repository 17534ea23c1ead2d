import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventDestination } from '../../src/resources/event-destinations/event-destination.js';
import type { Sandbox } from '../../tools/sandbox/sandbox-contract.js';
import { startSandbox } from '../../tools/sandbox/start-sandbox.js';
import { until } from '../delivery/support/pipeline.js';
import type { Created, JsonObject, TestAnswer, TestClient } from '../support/api-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let sandbox: Sandbox;
let api: TestApi;
beforeAll(async () => {
  sandbox = await startSandbox();
  Object.assign(process.env, sandbox.environment);
  api = await startTestApi({
    ...sandbox.environment,
    DELIVERY_BACKOFF_BASE_MS: '20',
    DELIVERY_BACKOFF_CAP_MS: '100',
    // Its jitter takes any part of the step: one of seconds would end while a test waits.
    DELIVERY_MISCONFIGURED_BACKOFF_BASE_MS: '86400000',
    DELIVERY_MISCONFIGURED_BACKOFF_CAP_MS: '86400000',
    SWEEP_INTERVAL_MS: '1000',
  });
  api.startWorker();
});
afterEach(() => sandbox.clear());
afterAll(async () => {
  await api.close();
  await sandbox.close();
});

interface Delivery extends JsonObject {
  readonly id: string;
  readonly event_id: string;
  readonly state: string;
  readonly sequence: number | null;
  readonly attempts: readonly JsonObject[];
}

let made = 0;

/** A destination with a stream of its own, subscribed to new IP policies. `arn`: where the sandbox reports its events. */
async function destination(client: TestClient = api.admin): Promise<Created & { readonly arn: string }> {
  made += 1;
  const arn = `arn:aws:kinesis:eu-central-1:123456789012:stream/s${made}`;
  const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'secret' };
  const created = await client.create('/event_destinations', {
    target: { data_stream: { auth: { creds }, stream_arn: arn } },
  });
  await client.create('/event_subscriptions', {
    destination_ids: [created.id],
    sources: [{ type: 'ip_policy_created.v0' }],
  });
  return { ...created, arn };
}

/** Makes so many events for whoever is subscribed. */
async function publish(count: number, client: TestClient = api.admin): Promise<void> {
  for (let n = 0; n < count; n += 1) await client.create('/ip_policies', {});
}

const deliveriesIn = ({ body }: TestAnswer): readonly Delivery[] => body.deliveries as readonly Delivery[];

async function list(path: string, query = '', client: TestClient = api.admin): Promise<readonly Delivery[]> {
  return deliveriesIn(await client.get(`${path}/deliveries${query}`));
}

async function status(path: string): Promise<JsonObject> {
  return (await api.admin.get(`${path}/status`)).body;
}

/** Resolves when so many deliveries of the destination have the state. */
async function ended(path: string, state: string, count: number): Promise<readonly Delivery[]> {
  let found: readonly Delivery[] = [];
  const name = `${count} are ${state}`;
  await until(async () => (found = await list(path, `?state=${state}`)).length === count, name);
  return found;
}

function received(arn: string): readonly { event_id: string; event_type: string; sequence: number }[] {
  return sandbox.received({ target: 'data_stream', address: arn }).map(({ body }) => JSON.parse(body));
}

describe('the status of a destination', () => {
  it('is healthy and empty for a new one', async () => {
    const { path } = await destination();
    const answer = await api.admin.get(`${path}/status`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      uri: `${api.baseUrl}${path}/status`,
      status: 'healthy',
      since: expect.stringMatching(/^\d{4}-.*Z$/),
      last_error: null,
      pending: 0,
      pending_is_lower_bound: false,
      in_flight: 0,
      oldest_pending_at: null,
      next_attempt_at: null,
      last_sequence: 0,
    });
  });

  it('counts what waits, and says what is wrong and when it is tried again', async () => {
    const { path, arn } = await destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await publish(1);
    await until(async () => (await status(path)).status === 'misconfigured', 'misconfigured');
    await publish(2);
    const now = Date.now();
    const seen = await status(path);
    expect(seen).toMatchObject({ pending: 3, pending_is_lower_bound: false, in_flight: 1, last_sequence: 1 });
    expect(seen.last_error).toMatchObject({
      code: 'AccessDeniedException',
      message: expect.stringMatching(/\w/),
      at: expect.any(String),
    });
    const [first] = (await list(path)).toReversed();
    expect(seen.oldest_pending_at).toBe(first?.created_at);
    expect(Date.parse(String(seen.next_attempt_at))).toBeGreaterThan(now);
  });

  it('is healthy again after a delivery, and keeps the last error', async () => {
    const { path, arn } = await destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'unavailable', times: 1 });
    await publish(1);
    await ended(path, 'delivered', 1);
    expect(await status(path)).toMatchObject({
      status: 'healthy',
      last_error: { code: expect.any(String) },
      pending: 0,
      last_sequence: 1,
    });
  });

  it('counts no further than 10,000, and says so', async () => {
    const { path, id } = await destination(await api.addAccount());
    const { path: own, id: ownId } = await destination();
    await api.store.pool.query(
      `update delivery_lanes set resume_at = now() + interval '1 hour' where destination_id = $1`,
      [ownId],
    );
    await publish(1);
    await api.store.pool.query(
      `insert into deliveries (event_id, destination_id, account_id, created_at)
       select event_id, destination_id, account_id, created_at from deliveries, generate_series(1, 10000)
       where destination_id = $1`,
      [ownId],
    );
    expect(await status(own)).toMatchObject({ pending: 10_000, pending_is_lower_bound: true });
    await api.store.pool.query('delete from deliveries where destination_id = $1', [ownId]);
    expect(id).not.toBe(ownId);
    expect((await api.admin.get(`${path}/status`)).status).toBe(404);
  });
});

describe('deliveries', () => {
  it('of a destination show event, state, number and attempts, newest first', async () => {
    const { path, arn, id } = await destination();
    await publish(2);
    const [second, first] = await ended(path, 'delivered', 2);
    expect([first?.sequence, second?.sequence]).toEqual([1, 2]);
    const [sent] = received(arn);
    expect(first).toEqual({
      id: expect.stringMatching(/^dlv_\d+$/),
      event_id: sent?.event_id,
      event_type: 'ip_policy_created.v0',
      destination_id: id,
      state: 'delivered',
      sequence: 1,
      attempts: [
        {
          started_at: expect.any(String),
          outcome: 'delivered',
          code: null,
          message: null,
          http_status: null,
          duration_ms: expect.any(Number),
        },
      ],
      attempt_count: 1,
      error: null,
      created_at: expect.any(String),
      redelivered_at: null,
      finished_at: expect.any(String),
    });
    expect(await list(path)).toEqual([second, first]);
  });

  it('show each failed attempt with its code, its status and its duration', async () => {
    const { path, arn } = await destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'unavailable', times: 2 });
    await publish(1);
    const [delivery] = await ended(path, 'delivered', 1);
    expect(delivery?.attempts).toMatchObject([
      { outcome: 'retry', http_status: 503, message: expect.stringMatching(/\w/) },
      { outcome: 'retry', http_status: 503 },
      { outcome: 'delivered', code: null, http_status: null },
    ]);
    expect(delivery).toMatchObject({ attempt_count: 3, error: null });
  });

  it('tell apart what waits from what is in flight', async () => {
    const { path, arn } = await destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await publish(1);
    await until(async () => (await status(path)).status === 'misconfigured', 'misconfigured');
    await publish(2);
    expect(await list(path, '?state=in_flight')).toMatchObject([
      { state: 'in_flight', sequence: 1, error: { code: 'AccessDeniedException' }, finished_at: null },
    ]);
    expect(await list(path, '?state=pending')).toMatchObject([
      { state: 'pending', sequence: null, attempts: [] },
      { state: 'pending' },
    ]);
    expect((await list(path)).map(({ state }) => state)).toEqual(['pending', 'pending', 'in_flight']);
    expect(await list(path, '?state=delivered')).toEqual([]);
  });

  it.each(['', 'state=delivered&'])('are listed page by page (?%s)', async (query) => {
    const { path } = await destination();
    await publish(5);
    const all = await ended(path, 'delivered', 5);
    const found: Delivery[] = [];
    let next: string | null = `${path}/deliveries?${query}limit=2`;
    let pages = 0;
    while (next !== null) {
      const answer: TestAnswer = await api.admin.get(next);
      expect(answer.body.uri).toBe(`${api.baseUrl}${path}/deliveries`);
      found.push(...deliveriesIn(answer));
      next = answer.body.next_page_uri as string | null;
      pages += 1;
    }
    expect(found).toEqual(all);
    expect(pages).toBe(3);
  });

  it('of an event are one for each destination, in pages', async () => {
    const [one, other] = [await destination(), await destination()];
    await publish(1);
    const [delivery] = await ended(one.path, 'delivered', 1);
    await ended(other.path, 'delivered', 1);
    const path = `/events/${delivery?.event_id}`;
    const all = await list(path);
    expect(all.map(({ destination_id: id }) => id)).toEqual(expect.arrayContaining([one.id, other.id]));
    expect(all).toContainEqual(delivery);
    const [first] = await list(path, '?limit=1');
    expect(await list(path, `?before_id=${first?.id}`)).toEqual(all.slice(1));
  });

  it('are not listed from what is no id of theirs, or in a state that does not exist', async () => {
    const { path, id } = await destination();
    for (const query of [`before_id=${id}`, 'before_id=dlv_', 'before_id=dlv_1e3', 'state=lost']) {
      const answer = await api.admin.get(`${path}/deliveries?${query}`);
      expect([answer.status, answer.body.error_code], query).toEqual([400, 'invalid_input']);
    }
  });
});

describe('a test of a destination', () => {
  it('sends a labelled event by the path of all others and gives the verdict', async () => {
    const { path, arn } = await destination();
    await publish(1);
    await ended(path, 'delivered', 1);
    const answer = await api.admin.post(`${path}/test`, undefined);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      verdict: 'delivered',
      ahead: 0,
      delivery: { event_type: 'event_destination_test.v0', state: 'delivered', sequence: 2 },
      status: { status: 'healthy', pending: 0, last_sequence: 2 },
    });
    const sent = received(arn).at(-1);
    const shown = (await api.admin.get(path)).body;
    expect(sent).toMatchObject({
      event_id: (answer.body.delivery as Delivery).event_id,
      event_type: 'event_destination_test.v0',
      object: shown,
      request: { operation_id: answer.headers.get('operation-id') },
      sequence: 2,
    });
    expect(eventDestination.read.safeParse(shown).error).toBeUndefined();
  });

  it('goes to that destination alone', async () => {
    const [tested, other] = [await destination(), await destination()];
    await api.admin.post(`${tested.path}/test`, undefined);
    expect(await list(other.path)).toEqual([]);
  });

  it('says what the vendor has against it', async () => {
    const { path, arn } = await destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    const { body } = await api.admin.post(`${path}/test`, undefined);
    expect(body).toMatchObject({
      verdict: 'misconfigured',
      delivery: { state: 'in_flight', attempts: [{ code: 'AccessDeniedException' }] },
      status: { status: 'misconfigured', last_error: { code: 'AccessDeniedException' } },
    });
    expect(body.message).toContain((body.delivery as { error: { message: string } }).error.message);
  });

  it('ends the backoff of a destination that was mended, and what waits before it goes first', async () => {
    const { path, arn } = await destination();
    const mend = sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await publish(3);
    await until(async () => (await status(path)).status === 'misconfigured', 'misconfigured');
    mend();
    const { body } = await api.admin.post(`${path}/test`, undefined);
    expect(body).toMatchObject({
      verdict: 'delivered',
      delivery: { sequence: 4 },
      status: { status: 'healthy' },
    });
    expect(received(arn).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  });

  it('says at once, with the status, that others wait before it and fail', async () => {
    const { path, arn } = await destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await publish(1);
    await until(async () => (await status(path)).status === 'misconfigured', 'misconfigured');
    const begun = performance.now();
    const { body } = await api.admin.post(`${path}/test`, undefined);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(body).toMatchObject({
      verdict: null,
      ahead: 1,
      ahead_is_lower_bound: false,
      delivery: { state: 'pending', attempts: [] },
      status: { status: 'misconfigured', pending: 2, last_error: { code: 'AccessDeniedException' } },
    });
    expect(body.message).toContain((body.status as { last_error: { message: string } }).last_error.message);
  });

  it('answers with what it knows when the process stops meanwhile', async () => {
    const idle = await startTestApi();
    const { path } = await destination(idle.admin);
    const begun = performance.now();
    const answering = idle.admin.post(`${path}/test`, undefined);
    await until(
      async () => (await list(path, '?state=in_flight', idle.admin)).length === 1,
      'the test is in flight',
    );
    const closing = idle.close();
    expect((await answering).body).toMatchObject({
      verdict: null,
      ahead: 0,
      delivery: { state: 'in_flight' },
    });
    await closing;
    expect(performance.now() - begun).toBeLessThan(12_000);
  });

  it('has a type with a schema that no subscription can name', async () => {
    const type = 'event_destination_test.v0';
    const { body } = await api.admin.get(`/event_types/${type}`);
    expect(body).toMatchObject({ type, schema: { properties: { event_type: { const: type } } } });
    const answer = await api.admin.post('/event_subscriptions', { sources: [{ type }] });
    expect(answer.body).toMatchObject({ status: 400, errors: [{ pointer: '/sources/0/type' }] });
  });
});

describe('redelivery', () => {
  it('of events sends them again in their order, with the same ids and numbers', async () => {
    const { path, arn } = await destination();
    await publish(3);
    const [, second, first] = await ended(path, 'delivered', 3);
    const ids = [second?.event_id, first?.event_id];
    const answer = await api.admin.post(`${path}/redeliveries`, { event_ids: ids });
    expect([answer.status, answer.body]).toEqual([202, { count: 2, next_from: null }]);
    await until(() => received(arn).length === 5, 'they arrive again');
    expect(received(arn).slice(3)).toEqual(received(arn).slice(0, 2));
    const [again] = (await ended(path, 'delivered', 3)).toReversed();
    expect(again).toMatchObject({ sequence: 1, attempt_count: 2, redelivered_at: expect.any(String) });
    expect(again?.attempts).toMatchObject([first?.attempts[0], { outcome: 'delivered' }]);
    await publish(1);
    await until(() => received(arn).length === 6, 'the next one arrives');
    expect(received(arn).at(-1)?.sequence).toBe(4);
  });

  it('of what expired tries it again for its full time, however old it is, and keeps the attempts', async () => {
    const { path, arn, id } = await destination();
    const mend = sandbox.script({ target: 'data_stream', address: arn, kind: 'unavailable' });
    await publish(2);
    await until(async () => (await status(path)).status === 'retrying', 'retrying');
    await api.store.pool.query(
      `update deliveries set created_at = now() - interval '5 days' where destination_id = $1`,
      [id],
    );
    const expired = await ended(path, 'expired', 2);
    expect((await api.admin.post(`${path}/redeliveries`, { state: 'expired' })).body.count).toBe(2);
    await until(
      async () => (await list(path)).every(({ redelivered_at: at, error }) => at !== null && error !== null),
      'both fail again',
    );
    expect(await list(path, '?state=expired')).toEqual([]);
    mend();
    const delivered = await ended(path, 'delivered', 2);
    expect(delivered.map(({ sequence }) => sequence)).toEqual(expired.map(({ sequence }) => sequence));
    for (const [index, { attempts }] of delivered.entries()) {
      expect(attempts.slice(0, expired[index]?.attempts.length)).toEqual(expired[index]?.attempts);
      expect(attempts.at(-1)).toMatchObject({ outcome: 'delivered' });
    }
    expect(received(arn).map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  it('of a range takes what happened in it, and nothing else', async () => {
    const { path, arn, id } = await destination();
    await publish(4);
    const all = (await ended(path, 'delivered', 4)).toReversed();
    for (const [index, { event_id: event }] of all.entries()) {
      await api.store.pool.query(
        `update deliveries set created_at = $3 where destination_id = $1 and event_id = $2`,
        [id, event, new Date(Date.UTC(2026, 0, 1 + index))],
      );
    }
    const range = { state: 'delivered', from: '2026-01-02T00:00:00Z', to: '2026-01-04T01:00:00+01:00' };
    expect((await api.admin.post(`${path}/redeliveries`, range)).body.count).toBe(2);
    await until(() => received(arn).length === 6, 'two arrive again');
    expect(
      received(arn)
        .slice(4)
        .map(({ sequence }) => sequence),
    ).toEqual([2, 3]);
    expect((await api.admin.post(`${path}/redeliveries`, { ...range, state: 'rejected' })).body.count).toBe(
      0,
    );
  });

  it('does not count what is pending anyway', async () => {
    const { path, arn } = await destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await publish(1);
    await until(async () => (await status(path)).status === 'misconfigured', 'misconfigured');
    const [delivery] = await list(path);
    const answer = await api.admin.post(`${path}/redeliveries`, { event_ids: [delivery?.event_id] });
    expect([answer.status, answer.body.count]).toEqual([202, 0]);
    expect(await list(path)).toEqual([delivery]);
  });

  it('is refused, with nothing changed, for events that the destination was never to get', async () => {
    const { path } = await destination();
    await publish(1);
    const [delivery] = await ended(path, 'delivered', 1);
    const stranger = await api.addAccount();
    await stranger.create('/ip_policies', {});
    const [theirs] = (await stranger.get('/events?limit=1')).body.events as { id: string }[];
    const body = { event_ids: [delivery?.event_id, theirs?.id, 'nothing'] };
    const answer = await api.admin.post(`${path}/redeliveries`, body);
    expect(answer.body).toMatchObject({
      status: 400,
      errors: [{ pointer: '/event_ids/1' }, { pointer: '/event_ids/2' }],
    });
    expect(await list(path)).toEqual([delivery]);
  });

  it.each([
    [{}, ''],
    [{ event_ids: [] }, '/event_ids'],
    [{ event_ids: ['evt_1'], state: 'expired' }, ''],
    [{ event_ids: ['evt_1'], from: '2026-01-01T00:00:00Z' }, '/from'],
    [{ state: 'pending' }, '/state'],
    [{ state: 'delivered' }, '/from'],
    [{ state: 'expired', from: 'yesterday' }, '/from'],
    [{ state: 'expired', from: '2026-01-02T00:00:00Z', to: '2026-01-02T00:00:00Z' }, '/to'],
    [{ event_ids: Array.from({ length: 1001 }, (_, n) => String(n)) }, '/event_ids'],
  ])('refuses %o', async (body, pointer) => {
    const { path } = await destination();
    const answer = await api.admin.post(`${path}/redeliveries`, body);
    expect(answer.body).toMatchObject({ status: 400, errors: [{ pointer }] });
  });
});

describe('another account', () => {
  it('finds neither the destination nor the event', async () => {
    const stranger = await api.addAccount();
    const { path } = await destination();
    await publish(1);
    const [delivery] = await ended(path, 'delivered', 1);
    const answers = [
      await stranger.get(`${path}/status`),
      await stranger.get(`${path}/deliveries`),
      await stranger.post(`${path}/test`, undefined),
      await stranger.post(`${path}/redeliveries`, { event_ids: [delivery?.event_id] }),
      await stranger.post(`${path}/redeliveries`, { state: 'delivered', from: '2020-01-01T00:00:00Z' }),
      await stranger.get(`/events/${delivery?.event_id}/deliveries`),
    ];
    expect(answers.map((answer) => [answer.status, answer.body.error_code])).toEqual(
      answers.map(() => [404, 'not_found']),
    );
    expect(await list(path)).toEqual([delivery]);
  });
});
