import type { Sandbox } from '@waybill/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TEST_WAIT_MS } from '../../src/destinations/destination-tests.js';
import { LaneTotalsStore } from '../../src/observability/lane-totals-store.js';
import { eventDestination } from '../../src/resources/families/event-destinations/event-destination.js';
import { until } from '../../tools/harness/until.js';
import type { JsonObject, TestResponse } from '../support/api-client.js';
import { DeliveringApi, type DeliveryResponse } from '../support/delivering-api.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

/** The default of DELIVERY_DEADLINE_HOURS. */
const DEADLINE_MS = 72 * 3_600_000;

let ground: DeliveringApi;
let api: TestApi;
let sandbox: Sandbox;
beforeAll(async () => {
  ground = await DeliveringApi.start({
    DELIVERY_BACKOFF_BASE_MS: '20',
    DELIVERY_BACKOFF_CAP_MS: '100',
    SWEEP_INTERVAL_MS: '1000',
  });
  ({ api, sandbox } = ground);
});
afterEach(() => sandbox.clear());
afterAll(() => ground.close());

const deliveriesIn = ({ body }: TestResponse): readonly DeliveryResponse[] =>
  body.deliveries as readonly DeliveryResponse[];

async function status(path: string): Promise<JsonObject> {
  return (await api.admin.get(`${path}/status`)).body;
}

function received(arn: string): readonly { event_id: string; event_type: string; sequence: number }[] {
  return ground.arrivals(arn).map((body) => JSON.parse(body));
}

describe('the status of a destination', () => {
  it('is healthy and has no pending events for a new destination', async () => {
    const { path, id } = await ground.destination();
    const response = await api.admin.get(`${path}/status`);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      id,
      uri: `${api.baseUrl}${path}/status`,
      description: null,
      target_kind: 'data_stream',
      status: 'healthy',
      since: expect.stringMatching(/^\d{4}-.*Z$/),
      paused: null,
      muted: null,
      last_error: null,
      pending: 0,
      pending_is_lower_bound: false,
      in_flight: 0,
      oldest_pending_at: null,
      oldest_expires_at: null,
      next_attempt_at: null,
      last_sequence: 0,
      epoch: 1,
      epochs: [{ epoch: 1, first_sequence: 1 }],
    });
  });

  it('counts pending events, and gives the last error and the time of the next attempt', async () => {
    const { path, arn } = await ground.destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await ground.publish(1);
    await until(async () => (await status(path)).status === 'misconfigured', 'misconfigured');
    await ground.publish(2);
    const now = Date.now();
    const seen = await status(path);
    expect(seen).toMatchObject({ pending: 3, pending_is_lower_bound: false, in_flight: 1, last_sequence: 1 });
    expect(seen.last_error).toMatchObject({
      code: 'AccessDeniedException',
      message: expect.stringMatching(/\w/),
      at: expect.any(String),
    });
    const [first] = (await ground.deliveries(path)).toReversed();
    expect(seen.oldest_pending_at).toBe(first?.created_at);
    expect(Date.parse(String(seen.oldest_expires_at)) - Date.parse(String(first?.created_at))).toBe(DEADLINE_MS);
    expect(Date.parse(String(seen.next_attempt_at))).toBeGreaterThan(now);
  });

  it('tells when the next event expires, and the age of what waits, after an older one was redelivered', async () => {
    const { path, arn, id } = await ground.destination();
    await ground.publish(1);
    const [done] = await ground.ended(path, 'delivered', 1);
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await ground.publish(2);
    await until(async () => (await status(path)).status === 'misconfigured', 'misconfigured');
    await api.store.pool.query(
      `update deliveries set created_at = created_at - interval '1 hour' where destination_id = $1`,
      [id],
    );
    await api.admin.post(`${path}/redeliveries`, { event_ids: [done?.event_id] });
    const [, second] = await ground.deliveries(path);
    const expiresAt = Date.parse(String(second?.['created_at'])) + DEADLINE_MS;
    expect(Date.parse(String((await status(path)).oldest_expires_at))).toBe(expiresAt);
    const { totals } = await new LaneTotalsStore(api.store.db).page('');
    expect(totals.find(({ state }) => state === 'misconfigured')?.oldestSeconds).toBeGreaterThan(3_600);
  });

  it('tells when the oldest event expires: not while it is paused, and later by the pause', async () => {
    const { path, arn } = await ground.destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await ground.publish(1);
    await until(async () => (await status(path)).status === 'misconfigured', 'misconfigured');
    const before = Date.parse(String((await status(path)).oldest_expires_at));
    await api.admin.patch(path, { paused: { reason: 'The stream is being moved.' } });
    expect(await status(path)).toMatchObject({ status: 'paused', pending: 1, oldest_expires_at: null });
    await api.admin.patch(path, { paused: null });
    expect(Date.parse(String((await status(path)).oldest_expires_at))).toBeGreaterThan(before);
  });

  it('changes at once after an update, even an unchanged one, because the update ends the backoff', async () => {
    const { path, arn } = await ground.destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await ground.publish(1);
    await until(async () => (await status(path)).status === 'misconfigured', 'misconfigured');
    sandbox.clear();
    const { target } = (await api.admin.get(path)).body;
    expect((await api.admin.patch(path, { target })).status).toBe(200);
    await ground.ended(path, 'delivered', 1);
    expect(await status(path)).toMatchObject({ status: 'healthy', pending: 0 });
  });

  it('is healthy again after a delivery, and keeps the last error', async () => {
    const { path, arn } = await ground.destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'unavailable', times: 1 });
    await ground.publish(1);
    await ground.ended(path, 'delivered', 1);
    expect(await status(path)).toMatchObject({
      status: 'healthy',
      last_error: { code: expect.any(String) },
      pending: 0,
      last_sequence: 1,
    });
  });

  it('counts at most 10,000 pending events, and marks the count as a lower bound', async () => {
    const { path, id } = await ground.destination(await api.addAccount());
    const { path: own, id: ownId } = await ground.destination();
    await api.store.pool.query(
      `update delivery_lanes set resume_at = now() + interval '1 hour' where destination_id = $1`,
      [ownId],
    );
    await ground.publish(1);
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

describe('the status of all destinations', () => {
  const idsOf = ({ body }: TestResponse): readonly string[] =>
    (body.statuses as readonly { id: string }[]).map(({ id }) => id);

  it('has the status of each destination as its own page shows it, newest first, in pages', async () => {
    const client = await api.addAccount();
    const older = await ground.destination(client);
    const newer = await ground.destination(client);
    const first = await client.get('/event_destinations/status?limit=1');
    const { next_page_uri: next } = first.body;
    expect(first.body).toEqual({
      statuses: [(await client.get(`${newer.path}/status`)).body],
      uri: `${api.baseUrl}/event_destinations/status`,
      next_page_uri: `${api.baseUrl}/event_destinations/status?before_id=${newer.id}&limit=1`,
    });
    const second = await client.get(String(next).slice(api.baseUrl.length));
    expect(second.body).toMatchObject({
      statuses: [(await client.get(`${older.path}/status`)).body],
      next_page_uri: null,
    });
    expect(idsOf(await api.admin.get('/event_destinations/status'))).not.toContain(newer.id);
  });

  it('is limited to one or more states, also on the next page', async () => {
    const client = await api.addAccount();
    const made = [await ground.destination(client), await ground.destination(client), await ground.destination(client)];
    const [healthy = '', broken = '', failing = ''] = made.map(({ id }) => id);
    sandbox.script({ target: 'data_stream', address: made[1]?.arn ?? '', kind: 'deny' });
    sandbox.script({ target: 'data_stream', address: made[2]?.arn ?? '', kind: 'unavailable' });
    await ground.publish(1, client);
    const list = (query: string) => client.get(`/event_destinations/status?${query}`);
    await until(async () => idsOf(await list('state=misconfigured')).length === 1, 'misconfigured');
    await until(async () => idsOf(await list('state=retrying')).length === 1, 'retrying');
    expect(idsOf(await list('state=healthy'))).toEqual([healthy]);
    expect(idsOf(await list('state=misconfigured&state=retrying'))).toEqual([failing, broken]);
    const { body } = await list('state=misconfigured&state=retrying&limit=1');
    expect(body.next_page_uri).toContain('state=misconfigured&state=retrying&');
    expect(idsOf(await client.get(String(body.next_page_uri).slice(api.baseUrl.length)))).toEqual([broken]);
  });

  it.each([
    ['state=broken', '?state'],
    ['state=', '?state'],
    ['state=healthy&state=delivered', '?state'],
    [`${'state=healthy&'.repeat(101)}limit=1`, '?state'],
    ['limit=101', '?limit'],
    ['before_id=evt_1', '?before_id'],
    ['status=healthy', '?status'],
  ])('refuses the query %s', async (query, pointer) => {
    const { status: code, body } = await api.admin.get(`/event_destinations/status?${query}`);
    expect([code, body.error_code]).toEqual([400, 'invalid_input']);
    expect(body.errors).toEqual([{ pointer, detail: expect.any(String) as string }]);
  });

  it('hides no destination: every other method on the path finds none with such an id', async () => {
    for (const method of ['PATCH', 'DELETE'] as const) {
      const { status: code, body } = await api.admin.send(method, '/event_destinations/status', {});
      expect([code, body.error_code], method).toEqual([404, 'not_found']);
    }
  });
});

describe('deliveries', () => {
  it('of a destination have event, state, sequence and attempts, newest first', async () => {
    const { path, arn, id } = await ground.destination();
    await ground.publish(2);
    const [second, first] = await ground.ended(path, 'delivered', 2);
    expect([first?.sequence, second?.sequence]).toEqual([1, 2]);
    const [sent] = received(arn);
    expect(first).toEqual({
      id: expect.stringMatching(/^dlv_\d+$/),
      event_id: sent?.event_id,
      event_type: 'ip_policy_created.v0',
      destination_id: id,
      state: 'delivered',
      sequence: 1,
      epoch: 1,
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
      backfill_id: null,
      finished_at: expect.any(String),
    });
    expect(await ground.deliveries(path)).toEqual([second, first]);
  });

  it('have each failed attempt with its code, status and duration', async () => {
    const { path, arn } = await ground.destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'unavailable', times: 2 });
    await ground.publish(1);
    const [delivery] = await ground.ended(path, 'delivered', 1);
    expect(delivery?.attempts).toMatchObject([
      { outcome: 'retry', http_status: 503, message: expect.stringMatching(/\w/) },
      { outcome: 'retry', http_status: 503 },
      { outcome: 'delivered', code: null, http_status: null },
    ]);
    expect(delivery).toMatchObject({ attempt_count: 3, error: null });
  });

  it('distinguish pending from in-flight deliveries', async () => {
    const { path, arn } = await ground.destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await ground.publish(1);
    await until(async () => (await status(path)).status === 'misconfigured', 'misconfigured');
    await ground.publish(2);
    expect(await ground.deliveries(path, '?state=in_flight')).toMatchObject([
      { state: 'in_flight', sequence: 1, error: { code: 'AccessDeniedException' }, finished_at: null },
    ]);
    expect(await ground.deliveries(path, '?state=pending')).toMatchObject([
      { state: 'pending', sequence: null, attempts: [] },
      { state: 'pending' },
    ]);
    expect((await ground.deliveries(path)).map(({ state }) => state)).toEqual(['pending', 'pending', 'in_flight']);
    expect(await ground.deliveries(path, '?state=delivered')).toEqual([]);
  });

  it.each(['', 'state=delivered&'])('are listed page by page (?%s)', async (query) => {
    const { path } = await ground.destination();
    await ground.publish(5);
    const all = await ground.ended(path, 'delivered', 5);
    const found: DeliveryResponse[] = [];
    let next: string | null = `${path}/deliveries?${query}limit=2`;
    let pages = 0;
    while (next !== null) {
      const response: TestResponse = await api.admin.get(next);
      expect(response.body.uri).toBe(`${api.baseUrl}${path}/deliveries`);
      found.push(...deliveriesIn(response));
      next = response.body.next_page_uri as string | null;
      pages += 1;
    }
    expect(found).toEqual(all);
    expect(pages).toBe(3);
  });

  it('of an event are one per destination, paginated', async () => {
    const [one, other] = [await ground.destination(), await ground.destination()];
    await ground.publish(1);
    const [delivery] = await ground.ended(one.path, 'delivered', 1);
    await ground.ended(other.path, 'delivered', 1);
    const path = `/events/${delivery?.event_id}`;
    const all = await ground.deliveries(path);
    expect(all.map(({ destination_id: id }) => id)).toEqual(expect.arrayContaining([one.id, other.id]));
    expect(all).toContainEqual(delivery);
    const [first] = await ground.deliveries(path, '?limit=1');
    expect(await ground.deliveries(path, `?before_id=${first?.id}`)).toEqual(all.slice(1));
  });

  it('are not listed with an invalid before_id or an unknown state', async () => {
    const { path, id } = await ground.destination();
    for (const query of [`before_id=${id}`, 'before_id=dlv_', 'before_id=dlv_1e3', 'state=lost']) {
      const response = await api.admin.get(`${path}/deliveries?${query}`);
      expect([response.status, response.body.error_code], query).toEqual([400, 'invalid_input']);
    }
  });
});

describe('a test of a destination', () => {
  it('sends a test event through the normal pipeline and returns the outcome', async () => {
    const { path, arn } = await ground.destination();
    await ground.publish(1);
    await ground.ended(path, 'delivered', 1);
    const response = await api.admin.post(`${path}/test`, undefined);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      verdict: 'delivered',
      ahead: 0,
      delivery: { event_type: 'event_destination_test.v0', state: 'delivered', sequence: 2 },
      status: { status: 'healthy', pending: 0, last_sequence: 2 },
    });
    const sent = received(arn).at(-1);
    const shown = (await api.admin.get(path)).body;
    expect(sent).toMatchObject({
      event_id: (response.body.delivery as DeliveryResponse).event_id,
      event_type: 'event_destination_test.v0',
      object: shown,
      request: { operation_id: response.headers.get('operation-id') },
      sequence: 2,
    });
    expect(eventDestination.read.safeParse(shown).error).toBeUndefined();
  });

  it('is delivered only to the tested destination', async () => {
    const [tested, other] = [await ground.destination(), await ground.destination()];
    await api.admin.post(`${tested.path}/test`, undefined);
    expect(await ground.deliveries(other.path)).toEqual([]);
  });

  /** Runs a change of the destination that commits when a test of it waits. Returns the response of the test. */
  async function testedDuring(path: string, change: string): Promise<TestResponse> {
    const client = await api.store.pool.connect();
    try {
      const { rows } = await client.query('select pg_backend_pid() as pid');
      await client.query('begin');
      await client.query(change, [path.split('/').at(-1)]);
      const response = api.admin.post(`${path}/test`, undefined);
      await until(
        async () =>
          (
            await api.store.pool.query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [
              rows[0].pid,
            ])
          ).rows.length > 0,
        'the test waits for the change',
        60_000,
      );
      await client.query('commit');
      return await response;
    } finally {
      client.release();
    }
  }

  it('has the state after a change that commits at the same moment, never an older one than the event before', async () => {
    const { path, arn } = await ground.destination();
    const change = `update resources set version = version + 1, attributes = jsonb_set(attributes, '{description}', '"changed"')
                    where id = $1`;
    expect((await testedDuring(path, change)).body).toMatchObject({ verdict: 'delivered' });
    expect(received(arn).at(-1)).toMatchObject({ version: 2, object: { description: 'changed' } });
  });

  it('is a 404 for a destination that is deleted at the same moment', async () => {
    const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };
    const { path, id } = await api.admin.create('/event_destinations', { target });
    const response = await testedDuring(path, 'delete from resources where id = $1');
    expect(response.status).toBe(404);
    const { rows } = await api.store.pool.query('select from all_deliveries where destination_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  it('returns the error of the vendor', async () => {
    const { path, arn } = await ground.destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    const { body } = await api.admin.post(`${path}/test`, undefined);
    expect(body).toMatchObject({
      verdict: 'misconfigured',
      delivery: { state: 'in_flight', attempts: [{ code: 'AccessDeniedException' }] },
      status: { status: 'misconfigured', last_error: { code: 'AccessDeniedException' } },
    });
    expect(body.message).toContain((body.delivery as { error: { message: string } }).error.message);
  });

  it('ends the backoff of a corrected destination, and earlier events are delivered first', async () => {
    const { path, arn } = await ground.destination();
    const mend = sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await ground.publish(3);
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

  it('returns at once, with the status, when earlier events fail', async () => {
    const { path, arn } = await ground.destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await ground.publish(1);
    await until(async () => (await status(path)).status === 'misconfigured', 'misconfigured');
    const begun = performance.now();
    const { body } = await api.admin.post(`${path}/test`, undefined);
    expect(performance.now() - begun).toBeLessThan(TEST_WAIT_MS);
    expect(body).toMatchObject({
      verdict: null,
      ahead: 1,
      ahead_is_lower_bound: false,
      delivery: { state: 'pending', attempts: [] },
      status: { status: 'misconfigured', pending: 2, last_error: { code: 'AccessDeniedException' } },
    });
    expect(body.message).toContain((body.status as { last_error: { message: string } }).last_error.message);
  });

  it('responds without a verdict when the process stops, also after an attempt that Waybill ended', async () => {
    const idle = await startTestApi();
    const { path, id } = await ground.destination(idle.admin);
    const begun = performance.now();
    const answering = idle.admin.post(`${path}/test`, undefined);
    await until(
      async () => (await ground.deliveries(path, '?state=in_flight', idle.admin)).length === 1,
      'the test is in flight',
    );
    await idle.store.pool.query(
      `insert into delivery_attempts (batch_id, destination_id, number, started_at, duration_ms, records, delivered,
         retried, rejected, outcome, code, message)
       select batch_id, destination_id, 1, now(), 1, 1, 0, 0, 0, 'interrupted', 'interrupted', 'Waybill ended the call.'
       from delivery_lanes where destination_id = $1`,
      [id],
    );
    await idle.store.pool.query(
      `update deliveries set attempts = 1, batch_id = (select batch_id from delivery_lanes where destination_id = $1)
       where destination_id = $1`,
      [id],
    );
    const closing = idle.close();
    expect((await answering).body).toMatchObject({
      verdict: null,
      ahead: 0,
      delivery: { state: 'in_flight', attempts: [{ code: 'interrupted' }] },
    });
    await closing;
    expect(performance.now() - begun).toBeLessThan(TEST_WAIT_MS);
  });

  it('has an event type with a schema, which no subscription can name', async () => {
    const type = 'event_destination_test.v0';
    const { body } = await api.admin.get(`/event_types/${type}`);
    expect(body).toMatchObject({ type, schema: { properties: { event_type: { const: type } } } });
    const response = await api.admin.post('/event_subscriptions', { sources: [{ type }] });
    expect(response.body).toMatchObject({ status: 400, errors: [{ pointer: '/sources/0/type' }] });
  });
});

describe('redelivery', () => {
  it('of events sends them again in order, with the same ids and sequences', async () => {
    const { path, arn } = await ground.destination();
    await ground.publish(3);
    const [, second, first] = await ground.ended(path, 'delivered', 3);
    const ids = [second?.event_id, first?.event_id];
    const response = await api.admin.post(`${path}/redeliveries`, { event_ids: ids });
    expect([response.status, response.body]).toEqual([202, { count: 2, next_from: null }]);
    await until(() => received(arn).length === 5, 'they arrive again');
    expect(received(arn).slice(3)).toEqual(received(arn).slice(0, 2));
    const [again] = (await ground.ended(path, 'delivered', 3)).toReversed();
    expect(again).toMatchObject({ sequence: 1, attempt_count: 2, redelivered_at: expect.any(String) });
    expect(again?.attempts).toMatchObject([first?.attempts[0], { outcome: 'delivered' }]);
    await ground.publish(1);
    await until(() => received(arn).length === 6, 'the next one arrives');
    expect(received(arn).at(-1)?.sequence).toBe(4);
  });

  it('of expired events sets a new deadline and keeps the attempts', async () => {
    const { path, arn, id } = await ground.destination();
    const mend = sandbox.script({ target: 'data_stream', address: arn, kind: 'unavailable' });
    await ground.publish(2);
    await until(async () => (await status(path)).status === 'retrying', 'retrying');
    await api.store.pool.query(
      `update deliveries set created_at = now() - interval '5 days' where destination_id = $1`,
      [id],
    );
    const expired = await ground.ended(path, 'expired', 2);
    expect((await api.admin.post(`${path}/redeliveries`, { state: 'expired' })).body.count).toBe(2);
    await until(
      async () =>
        (await ground.deliveries(path)).every(({ redelivered_at: at, error }) => at !== null && error !== null),
      'both fail again',
    );
    expect(await ground.deliveries(path, '?state=expired')).toEqual([]);
    mend();
    const delivered = await ground.ended(path, 'delivered', 2);
    expect(delivered.map(({ sequence }) => sequence)).toEqual(expired.map(({ sequence }) => sequence));
    for (const [index, { attempts }] of delivered.entries()) {
      expect(attempts.slice(0, expired[index]?.attempts.length)).toEqual(expired[index]?.attempts);
      expect(attempts.at(-1)).toMatchObject({ outcome: 'delivered' });
    }
    expect(received(arn).map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  it('of a range includes only events in the range', async () => {
    const { path, arn, id } = await ground.destination();
    await ground.publish(4);
    const all = (await ground.ended(path, 'delivered', 4)).toReversed();
    for (const [index, { event_id: event }] of all.entries()) {
      await api.store.pool.query(
        `update finished_deliveries set created_at = $3 where destination_id = $1 and event_id = $2`,
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
    expect((await api.admin.post(`${path}/redeliveries`, { ...range, state: 'rejected' })).body.count).toBe(0);
  });

  it('does not count deliveries that are already pending', async () => {
    const { path, arn } = await ground.destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await ground.publish(1);
    await until(async () => (await status(path)).status === 'misconfigured', 'misconfigured');
    const [delivery] = await ground.deliveries(path);
    const response = await api.admin.post(`${path}/redeliveries`, { event_ids: [delivery?.event_id] });
    expect([response.status, response.body.count]).toEqual([202, 0]);
    expect(await ground.deliveries(path)).toEqual([delivery]);
  });

  it('is refused, with nothing changed, for events without a delivery to the destination', async () => {
    const { path } = await ground.destination();
    await ground.publish(1);
    const [delivery] = await ground.ended(path, 'delivered', 1);
    const stranger = await api.addAccount();
    await stranger.create('/ip_policies', {});
    const [theirs] = (await stranger.get('/events?limit=1')).body.events as { id: string }[];
    const body = { event_ids: [delivery?.event_id, theirs?.id, 'nothing'] };
    const response = await api.admin.post(`${path}/redeliveries`, body);
    expect(response.body).toMatchObject({
      status: 400,
      errors: [{ pointer: '/event_ids/1' }, { pointer: '/event_ids/2' }],
    });
    expect(await ground.deliveries(path)).toEqual([delivery]);
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
    const { path } = await ground.destination();
    const response = await api.admin.post(`${path}/redeliveries`, body);
    expect(response.body).toMatchObject({ status: 400, errors: [{ pointer }] });
  });
});

describe('another account', () => {
  it('finds neither the destination nor the event', async () => {
    const stranger = await api.addAccount();
    const { path } = await ground.destination();
    await ground.publish(1);
    const [delivery] = await ground.ended(path, 'delivered', 1);
    const responses = [
      await stranger.get(`${path}/status`),
      await stranger.get(`${path}/deliveries`),
      await stranger.post(`${path}/test`, undefined),
      await stranger.post(`${path}/redeliveries`, { event_ids: [delivery?.event_id] }),
      await stranger.post(`${path}/redeliveries`, { state: 'delivered', from: '2020-01-01T00:00:00Z' }),
      await stranger.get(`/events/${delivery?.event_id}/deliveries`),
    ];
    expect(responses.map((response) => [response.status, response.body.error_code])).toEqual(
      responses.map(() => [404, 'not_found']),
    );
    expect(await ground.deliveries(path)).toEqual([delivery]);
  });
});
