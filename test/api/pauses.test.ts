import type { Sandbox } from '@waybill/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HealthReports } from '../../src/destinations/health/health-reports.js';
import { HealthStore } from '../../src/destinations/health/health-store.js';
import { createLogger } from '../../src/logging/logger.js';
import { until } from '../../tools/harness/until.js';
import type { JsonObject } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';
import type { TestApi } from '../support/test-api.js';

let ground: DeliveringApi;
let api: TestApi;
let sandbox: Sandbox;
beforeAll(async () => {
  ground = await DeliveringApi.start({ DELIVERY_BACKOFF_BASE_MS: '20', DELIVERY_BACKOFF_CAP_MS: '100' });
  ({ api, sandbox } = ground);
});
afterEach(() => sandbox.clear());
afterAll(() => ground.close());

const REASON = 'The SIEM is being rebuilt until noon.';
const shown = {
  reason: REASON,
  since: expect.stringMatching(/^\d{4}-.*Z$/),
  principal: { id: expect.any(String), subject: expect.any(String), credential_id: expect.stringMatching(/^ak_/) },
};

const nobody = { id: 'bot_none', subject: 'nobody', credential_id: null };

/** The events about a destination, newest first. */
async function eventsOf(path: string): Promise<readonly JsonObject[]> {
  const { events } = (await api.admin.get(`${path}/events`)).body as { events: readonly { payload: JsonObject }[] };
  return events.map(({ payload }) => payload);
}

const statusOf = async (path: string): Promise<JsonObject> => (await api.admin.get(`${path}/status`)).body;

const sequencesAt = (arn: string): readonly number[] =>
  ground.arrivals(arn).map((body) => (JSON.parse(body) as { sequence: number }).sequence);

/** What a refused request must not change. */
async function recordsOf(path: string): Promise<unknown> {
  const { rows } = await api.store.pool.query(
    `select r.version, l.revision, l.paused_at, l.failures,
            (select count(*)::int from events where resource_id = r.id) as events,
            (select count(*)::int from all_deliveries where destination_id = r.id) as deliveries
     from resources r join delivery_lanes l on l.destination_id = r.id where r.id = $1`,
    [path.split('/').at(-1)],
  );
  expect(rows).toHaveLength(1);
  return rows[0];
}

describe('a pause', () => {
  it('is a change of the destination with a version and an event, and so is its end', async () => {
    const { path } = await ground.destination();
    const paused = await api.admin.patch(path, { paused: { reason: REASON } });
    expect([paused.status, paused.headers.get('etag')], paused.text).toEqual([200, '"v2"']);
    expect(paused.body.paused).toEqual(shown);
    const ended = await api.admin.patch(path, { paused: null });
    expect([ended.status, ended.headers.get('etag'), ended.body.paused]).toEqual([200, '"v3"', null]);
    const [end, begin] = await eventsOf(path);
    expect(begin).toMatchObject({
      event_type: 'event_destination_updated.v0',
      version: 2,
      changes: { before: { paused: null }, after: { paused: paused.body.paused } },
    });
    expect(end).toMatchObject({
      event_type: 'event_destination_updated.v0',
      version: 3,
      changes: { before: { paused: paused.body.paused }, after: { paused: null } },
    });
  });

  it('shows in the status who paused the destination, when and why, and in the list of those that are paused', async () => {
    const { path, id } = await ground.destination();
    await api.admin.patch(path, { paused: { reason: REASON } });
    await ground.publish(2);
    const seen = await statusOf(path);
    expect(seen).toMatchObject({ status: 'paused', paused: shown, pending: 2, in_flight: 0, next_attempt_at: null });
    expect(seen.since).toBe((seen.paused as JsonObject).since);
    const listed = (await api.admin.get('/event_destinations/status?state=paused')).body.statuses as JsonObject[];
    expect(listed.find((one) => one.id === id)).toEqual(seen);
    expect(new Set(listed.map(({ status }) => status))).toEqual(new Set(['paused']));
    const healthy = (await api.admin.get('/event_destinations/status?state=healthy')).body.statuses as JsonObject[];
    expect(healthy.map((one) => one.id)).not.toContain(id);
    await api.admin.patch(path, { paused: null });
    expect(await statusOf(path)).toMatchObject({ status: 'healthy', paused: null });
  });

  it('lets events wait, in order, and its end sends them at once', async () => {
    const { path, arn } = await ground.destination();
    await ground.publish(2);
    await ground.ended(path, 'delivered', 2);
    await api.admin.patch(path, { paused: { reason: REASON } });
    const { path: other } = await ground.destination();
    await ground.publish(3);
    await ground.ended(other, 'delivered', 3);
    expect(sequencesAt(arn)).toEqual([1, 2]);
    expect((await ground.deliveries(path)).map(({ state }) => state).toSorted()).toEqual([
      'delivered',
      'delivered',
      'pending',
      'pending',
      'pending',
    ]);
    await api.admin.patch(path, { paused: null });
    await ground.ended(path, 'delivered', 5);
    expect(sequencesAt(arn)).toEqual([1, 2, 3, 4, 5]);
  });

  it('leaves the numbers of a claimed batch visible, also of one with an event that is sent once more', async () => {
    const { path, arn } = await ground.destination();
    await ground.publish(3);
    const delivered = await ground.ended(path, 'delivered', 3);
    const again = delivered.find(({ sequence }) => sequence === 2)?.event_id ?? '';
    await api.admin.patch(path, { paused: { reason: REASON } });
    expect((await api.admin.post(`${path}/redeliveries`, { event_ids: [again] })).status).toBe(202);
    await ground.publish(3);
    expect((await ground.deliveries(path, '?state=pending')).map(({ sequence }) => sequence)).toEqual([
      null,
      null,
      null,
      2,
    ]);
    // No attempt at the batch ends before the numbers are read: the rows of the deliveries have none yet.
    sandbox.script({ target: 'data_stream', address: arn, kind: 'timeout' });
    await api.admin.patch(path, { paused: null });
    await until(async () => (await statusOf(path)).in_flight === 4, 'the batch is claimed');
    await api.admin.patch(path, { paused: { reason: REASON } });
    expect(await statusOf(path)).toMatchObject({ status: 'paused', in_flight: 4, last_sequence: 6 });
    const numbersOf = async (query: string) =>
      (await ground.deliveries(path, query)).map(({ sequence, epoch, state }) => [sequence, epoch, state]);
    const batch = [6, 5, 4, 2].map((number) => [number, 1, 'in_flight']);
    expect(await numbersOf('?state=in_flight')).toEqual(batch);
    expect(await numbersOf('?sequence_from=1')).toEqual([
      ...batch.slice(0, 3),
      [3, 1, 'delivered'],
      [2, 1, 'in_flight'],
      [1, 1, 'delivered'],
    ]);
    expect(await numbersOf('?sequence_from=2&sequence_to=4&state=in_flight')).toEqual([batch[2], batch[3]]);
    const [newest] = await ground.deliveries(path, '?sequence_from=6');
    const { body } = await api.admin.get(`/events/${newest?.event_id}/deliveries`);
    const ofEvent = body.deliveries as readonly JsonObject[];
    expect(ofEvent.find(({ id }) => id === newest?.id)).toMatchObject({ sequence: 6, epoch: 1 });
  });

  it('ends the backoff of a destination that failed when it ends, and not before', async () => {
    const { path, arn } = await ground.destination();
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await ground.publish(1);
    await until(async () => (await statusOf(path)).status === 'misconfigured', 'misconfigured');
    await api.admin.patch(path, { paused: { reason: REASON } });
    sandbox.clear();
    const { target } = (await api.admin.get(path)).body;
    expect((await api.admin.patch(path, { target, description: 'repaired' })).status).toBe(200);
    expect(await statusOf(path)).toMatchObject({ status: 'paused', last_error: { code: expect.any(String) } });
    const [delivery] = await ground.deliveries(path);
    expect(delivery?.attempts).toHaveLength(1);
    await api.admin.patch(path, { paused: null });
    await ground.ended(path, 'delivered', 1);
  });

  it('is reported to another destination, and so is the failure that its end shows', async () => {
    const { path, id, arn } = await ground.destination();
    const watcher = await ground.destination();
    await api.admin.create('/event_subscriptions', {
      destination_ids: [id, watcher.id],
      sources: [{ type: 'event_destination_status_changed.v0', filter: `object.id == "${id}"` }],
    });
    // Without the usual minute.
    const reports = new HealthReports(
      api.store.db,
      new HealthStore(api.store.db, 0),
      { notify: () => undefined },
      createLogger('silent'),
    );
    const report = () => reports.run({ stopped: new AbortController().signal, progressed: () => undefined });
    sandbox.script({ target: 'data_stream', address: arn, kind: 'deny' });
    await ground.publish(1);
    await until(async () => (await statusOf(path)).status === 'misconfigured', 'misconfigured');
    await report();
    await api.admin.patch(path, { paused: { reason: REASON } });
    await report();
    const ended = Date.now();
    await api.admin.patch(path, { paused: null });
    await until(async () => (await ground.deliveries(path))[0]?.attempts.length === 2, 'it was tried again');
    expect(Date.parse(String((await statusOf(path)).since))).toBeGreaterThan(ended - 1_000);
    await report();
    const code = expect.any(String);
    const reported = () =>
      ground
        .arrivals(watcher.arn)
        .map((body) => JSON.parse(body) as { event_type: string; object: JsonObject })
        .filter(({ event_type: type }) => type === 'event_destination_status_changed.v0')
        .map(({ object }) => object);
    await until(() => reported().length === 3, 'three reports arrived');
    expect(reported()).toMatchObject([
      { id, status: 'misconfigured', previous_status: 'healthy', error_code: code, paused: null },
      { id, status: 'paused', previous_status: 'misconfigured', error_code: code, paused: shown },
      { id, status: 'misconfigured', previous_status: 'paused', error_code: code, paused: null },
    ]);
    const { deliveries } = (await api.admin.get(`${path}/deliveries?type=event_destination_status_changed.v0`)).body;
    expect(deliveries).toEqual([]);
  });

  it('can be there from the creation on', async () => {
    const { path: first } = await ground.destination();
    const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'secret' };
    const stream = { auth: { creds }, stream_arn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/paused' };
    const { path, id, paused } = await api.admin.create('/event_destinations', {
      target: { data_stream: stream },
      paused: { reason: REASON },
    });
    expect(paused).toEqual(shown);
    expect(await statusOf(path)).toMatchObject({ status: 'paused', paused });
    await api.admin.create('/event_subscriptions', {
      destination_ids: [id],
      sources: [{ type: 'ip_policy_created.v0' }],
    });
    await ground.publish(1);
    await ground.ended(first, 'delivered', 1);
    expect(await statusOf(path)).toMatchObject({ pending: 1, last_sequence: 0 });
    await api.admin.patch(path, { paused: null });
    await ground.ended(path, 'delivered', 1);
  });

  it('keeps redeliveries waiting, and does not hold up the deletion of the destination', async () => {
    const { path, id } = await ground.destination();
    await ground.publish(1);
    await ground.ended(path, 'delivered', 1);
    await api.admin.patch(path, { paused: { reason: REASON } });
    const redelivered = await api.admin.post(`${path}/redeliveries`, {
      state: 'delivered',
      from: '2026-01-01T00:00:00Z',
    });
    expect([redelivered.status, redelivered.body.count]).toEqual([202, 1]);
    const [delivery] = await ground.deliveries(path);
    expect(delivery?.state).toBe('pending');
    const { conflicts = [] } = (await api.admin.delete(path)).body as { conflicts?: string[] };
    for (const subscription of conflicts) await api.admin.delete(`/event_subscriptions/${subscription}`);
    expect((await api.admin.delete(path)).status).toBe(204);
    const { body } = await api.admin.get(`/events/${delivery?.event_id}/deliveries`);
    expect((body.deliveries as JsonObject[]).find((one) => one.destination_id === id)).toMatchObject({
      state: 'cancelled',
    });
  });
});

describe('a pause that is sent back as it was read', () => {
  it('changes nothing, and does not hold up the other members of the request', async () => {
    const { path } = await ground.destination();
    await api.admin.patch(path, { paused: { reason: REASON } });
    const read = await api.admin.get(path);
    const { description, metadata, format, target, paused } = read.body;
    const before = await recordsOf(path);
    const back = await api.admin.patch(path, { description, metadata, format, target, paused });
    expect([back.status, back.text], back.text).toEqual([200, read.text]);
    expect(await recordsOf(path)).toEqual(before);
    const described = await api.admin.patch(path, { description: 'of the SIEM', paused });
    expect(described.body, described.text).toMatchObject({ description: 'of the SIEM', paused });
    const [last] = await eventsOf(path);
    expect(last?.changes).toEqual({ before: { description }, after: { description: 'of the SIEM' } });
    expect(await statusOf(path)).toMatchObject({ status: 'paused', paused });
  });

  it('may name its time otherwise, and leave out who paused', async () => {
    const { path } = await ground.destination();
    const { paused } = (await api.admin.patch(path, { paused: { reason: REASON } })).body;
    const { since } = paused as { since: string };
    const before = await recordsOf(path);
    const sameTime = new Date(Date.parse(since) + 7_200_000).toISOString().replace('Z', '+02:00');
    const back = await api.admin.patch(path, { paused: { reason: REASON, since: sameTime } });
    expect([back.status, back.body.paused], back.text).toEqual([200, paused]);
    expect(await recordsOf(path)).toEqual(before);
  });

  it('is refused with the members that differ from the present pause, and nothing changes', async () => {
    const { path } = await ground.destination();
    const { paused } = (await api.admin.patch(path, { paused: { reason: REASON } })).body;
    const present = paused as { since: string; principal: JsonObject };
    const other = { ...present.principal, id: 'bot_other', credential_id: null };
    const before = await recordsOf(path);
    const changes: readonly (readonly [JsonObject, readonly string[]])[] = [
      [{ reason: 'another' }, ['/paused/reason']],
      [{ since: '2026-01-01T00:00:00.000Z' }, ['/paused/since']],
      [{ principal: other }, ['/paused/principal/id', '/paused/principal/credential_id']],
      [{ reason: 'another', since: '2026-01-01T00:00:00.000Z' }, ['/paused/reason', '/paused/since']],
    ];
    for (const [change, pointers] of changes) {
      const refused = await api.admin.patch(path, { paused: { ...present, ...change }, description: 'changed' });
      expect([refused.status, refused.body.error_code], refused.text).toEqual([409, 'destination_paused']);
      expect(refused.body.errors).toMatchObject(pointers.map((pointer) => ({ pointer })));
    }
    expect(await recordsOf(path)).toEqual(before);
  });

  it('does not pause the destination again when that pause has ended', async () => {
    const { path } = await ground.destination();
    const { paused } = (await api.admin.patch(path, { paused: { reason: REASON } })).body;
    await api.admin.patch(path, { paused: null });
    const before = await recordsOf(path);
    const refused = await api.admin.patch(path, { paused });
    expect([refused.status, refused.body.error_code], refused.text).toEqual([400, 'invalid_input']);
    expect(refused.body.errors).toMatchObject([{ pointer: '/paused/since' }, { pointer: '/paused/principal' }]);
    expect(await recordsOf(path)).toEqual(before);
  });
});

describe('a request that a pause refuses', () => {
  it('is a pause of a paused destination: nothing changes, and the first reason stays', async () => {
    const { path } = await ground.destination();
    await api.admin.patch(path, { paused: { reason: REASON } });
    const read = await api.admin.get(path);
    const before = await recordsOf(path);
    for (const body of [{ paused: { reason: REASON } }, { paused: { reason: 'another' }, description: 'changed' }]) {
      const refused = await api.admin.patch(path, body);
      expect([refused.status, refused.body.error_code], refused.text).toEqual([409, 'destination_paused']);
      expect(refused.body.errors).toMatchObject([{ pointer: '/paused' }]);
      expect(refused.body.detail).toContain(REASON);
    }
    expect(await recordsOf(path)).toEqual(before);
    expect((await api.admin.get(path)).text).toBe(read.text);
  });

  it('is a test: no event is recorded', async () => {
    const { path } = await ground.destination();
    await api.admin.patch(path, { paused: { reason: REASON } });
    const before = await recordsOf(path);
    const refused = await api.admin.post(`${path}/test`, undefined);
    expect([refused.status, refused.body.error_code], refused.text).toEqual([409, 'destination_paused']);
    expect(await recordsOf(path)).toEqual(before);
  });

  it.each([
    ['no reason', {}, '/paused/reason'],
    ['white space as reason', { reason: ' \t\n\u00a0' }, '/paused/reason'],
    ['an empty reason', { reason: '' }, '/paused/reason'],
    ['a long reason', { reason: 'x'.repeat(501) }, '/paused/reason'],
    ['a reason that is no text', { reason: 1 }, '/paused/reason'],
    ['a time of its own', { reason: REASON, since: '2026-01-01T00:00:00.000Z' }, '/paused/since'],
    ['a time that is none', { reason: REASON, since: 'noon' }, '/paused/since'],
    [
      'an id without an end',
      { reason: REASON, principal: { ...nobody, id: 'x'.repeat(2_000) } },
      '/paused/principal/id',
    ],
    ['a member that there is not', { reason: REASON, until: '2026-01-01T00:00:00.000Z' }, '/paused/until'],
    ['true', true, '/paused'],
  ])('is a pause with %s', async (_, paused, pointer) => {
    const { path } = await ground.destination();
    const before = await recordsOf(path);
    const refused = await api.admin.patch(path, { paused });
    expect(refused.body, refused.text).toMatchObject({ status: 400, errors: [{ pointer }] });
    expect(await recordsOf(path)).toEqual(before);
  });
});

describe('the end of a pause', () => {
  it('changes nothing at a destination that is not paused, and makes no event', async () => {
    const { path } = await ground.destination();
    const read = await api.admin.get(path);
    const before = await recordsOf(path);
    const response = await api.admin.patch(path, { paused: null });
    expect([response.status, response.headers.get('etag')]).toEqual([200, '"v1"']);
    expect(response.text).toBe(read.text);
    expect(await recordsOf(path)).toEqual(before);
  });

  it('pauses once when two requests pause at the same time', async () => {
    const { path } = await ground.destination();
    const both = await Promise.all(['one', 'two'].map((text) => api.admin.patch(path, { paused: { reason: text } })));
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await eventsOf(path)).toHaveLength(2);
  });

  it('needs the version that If-Match names', async () => {
    const { path } = await ground.destination();
    const refused = await api.admin.patch(path, { paused: { reason: REASON } }, { 'if-match': '"v7"' });
    expect(refused.status).toBe(412);
    expect((await api.admin.get(path)).body.paused).toBeNull();
  });
});
