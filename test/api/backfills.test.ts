import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../tools/harness/until.js';
import type { Created, JsonObject, TestClient } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';

const LONG_AGO = '2020-01-01T00:00:00Z';

describe('backfills', () => {
  let delivering: DeliveringApi;
  /** The admin of an account of the test's own. */
  let admin: TestClient;
  beforeAll(async () => {
    delivering = await DeliveringApi.start({ BACKFILL_EVENTS_PER_SECOND: '500', RETENTION_EVENTS_DAYS: '400' });
  });
  afterAll(() => delivering.close());

  const newAccount = async () => void (admin = await delivering.api.addAccount());

  /** Returns a backfill when it has ended. */
  async function ended({ uri }: JsonObject): Promise<JsonObject> {
    let body: JsonObject = {};
    const hasEnded = async () => (body = (await admin.get(String(uri))).body).finished_at !== null;
    await until(hasEnded, 'the backfill has ended');
    return body;
  }

  async function refused(destination: Created, body: JsonObject): Promise<unknown> {
    const response = await admin.post(`${destination.path}/backfills`, { from: LONG_AGO, ...body });
    expect([response.status, response.body.error_code], response.text).toEqual([400, 'invalid_input']);
    const { backfills } = (await admin.get(`${destination.path}/backfills`)).body;
    expect(backfills).toEqual([]);
    return response.body.errors;
  }

  it('sends the history to a new destination, and shows it in the lists of deliveries', async () => {
    admin = delivering.api.admin;
    const { arn } = await delivering.destination();
    await delivering.publish(25);
    const later = await delivering.destination();
    await delivering.publish(5);
    const created = await admin.create(`${later.path}/backfills`, { from: LONG_AGO });
    expect(created).toMatchObject({
      id: expect.stringMatching(/^bkf_/) as string,
      uri: `${delivering.api.baseUrl}${created.path}`,
      destination: { id: later.id, uri: `${delivering.api.baseUrl}${later.path}` },
      state: 'counting',
      from: '2020-01-01T00:00:00.000Z',
      types: ['ip_policy_created.v0'],
      events_per_second: 500,
      dry_run: false,
      // The account is younger than the retention.
      complete_since: null,
      events_total: null,
      events_queued: 0,
      finished_at: null,
    });
    expect(await ended(created)).toMatchObject({
      state: 'finished',
      events_total: 30,
      events_queued: 25,
      events_skipped: 5,
    });
    const deliveries = await delivering.ended(later.path, 'delivered', 30);
    expect(deliveries.filter(({ backfill_id: id }) => id === created.id)).toHaveLength(25);
    expect(deliveries.filter(({ backfill_id: id }) => id === null)).toHaveLength(5);
    const received = delivering.arrivals(later.arn).map((body) => JSON.parse(body) as JsonObject);
    expect(received.map(({ sequence }) => sequence)).toEqual(received.map((_, index) => index + 1));
    expect(received.filter(({ backfill }) => backfill === true)).toHaveLength(25);
    const first = delivering.arrivals(arn).map((body) => JSON.parse(body) as JsonObject);
    expect(first.filter((event) => 'backfill' in event)).toEqual([]);
  });

  it('counts in a dry run, and sends nothing', async () => {
    await newAccount();
    await delivering.publish(3, admin);
    const destination = await delivering.destination(admin);
    const from = new Date(Date.now() - 60_000).toISOString();
    const created = await admin.create(`${destination.path}/backfills`, { from, dry_run: true });
    expect(created.complete_since).toBeNull();
    expect(await ended(created)).toMatchObject({ state: 'finished', events_total: 3, events_queued: 0 });
    expect(await delivering.deliveries(destination.path, '', admin)).toEqual([]);
  });

  it('says that it waits for the end of a pause', async () => {
    await newAccount();
    await delivering.publish(3, admin);
    const destination = await delivering.destination(admin);
    await admin.patch(destination.path, { paused: { reason: 'The index is being rebuilt.' } });
    const path = `${destination.path}/backfills`;
    const created = await admin.create(path, { from: LONG_AGO });
    expect([created.state, created.waiting_for]).toEqual(['counting', null]);
    await until(async () => (await admin.get(created.path)).body.state === 'running', 'it runs');
    const { body } = await admin.get(created.path);
    expect(body).toMatchObject({ waiting_for: 'pause', events_counted: 3, events_total: 3, events_queued: 0 });
    expect((await admin.get(path)).body.backfills).toEqual([body]);
    await admin.patch(destination.path, { paused: null });
    expect(await ended(created)).toMatchObject({ state: 'finished', waiting_for: null, events_queued: 3 });
  });

  it('has one unfinished backfill for each destination, which can be cancelled', async () => {
    await newAccount();
    await delivering.publish(20, admin);
    const destination = await delivering.destination(admin);
    const path = `${destination.path}/backfills`;
    const slow = await admin.create(path, { from: LONG_AGO, events_per_second: 1 });
    await until(async () => (await admin.get(slow.path)).body.state === 'running', 'it runs');
    const second = await admin.post(path, { from: LONG_AGO });
    expect([second.status, second.body.error_code, second.body.conflicts]).toEqual([409, 'conflict', [slow.id]]);
    const cancelled = await admin.post(`${slow.path}/cancel`, undefined);
    expect([cancelled.status, cancelled.body.state]).toEqual([200, 'cancelled']);
    expect((await admin.post(`${slow.path}/cancel`, undefined)).body).toEqual(cancelled.body);
    const queued = Number(cancelled.body.events_queued);
    expect(queued).toBeLessThan(20);
    // What a cancelled backfill has queued, the next one skips.
    const next = await ended(await admin.create(path, { from: LONG_AGO }));
    expect(next).toMatchObject({ state: 'finished', events_queued: 20 - queued, events_skipped: queued });
    const { backfills } = (await admin.get(`${path}?limit=1`)).body as { backfills: JsonObject[] };
    expect(backfills).toEqual([next]);
    const rest = (await admin.get(`${path}?before_id=${String(next.id)}`)).body as { backfills: JsonObject[] };
    expect(rest.backfills.map(({ id }) => id)).toEqual([slow.id]);
  });

  it('takes only event types that a subscription sends to the destination, and no snapshots', async () => {
    await newAccount();
    const destination = await delivering.destination(admin);
    const unsubscribed = 'is not an event type that a subscription sends to this destination';
    expect(
      await refused(destination, { types: ['ip_policy_created.v0', 'bot_user_created.v0', 'no_type.v0'] }),
    ).toEqual([
      { pointer: '/types/1', detail: `"bot_user_created.v0" ${unsubscribed}` },
      { pointer: '/types/2', detail: `"no_type.v0" ${unsubscribed}` },
    ]);
    await admin.create('/event_subscriptions', {
      destination_ids: [destination.id],
      sources: [{ type: 'ip_policy_snapshot.v0' }],
    });
    expect(await refused(destination, { types: ['ip_policy_snapshot.v0'] })).toMatchObject([
      { pointer: '/types/0', detail: expect.stringContaining('to repeat a snapshot') as string },
    ]);
    const all = await admin.create(`${destination.path}/backfills`, { from: LONG_AGO });
    expect(all.types).toEqual(['ip_policy_created.v0']);
  });

  it('takes no event type of a deleted resource type', async () => {
    await newAccount();
    const type = await admin.create('/resource_types', { name: 'order' });
    const destination = await delivering.destination(admin);
    const subscription = await admin.create('/event_subscriptions', {
      destination_ids: [destination.id],
      sources: [{ type: 'order_created.v0' }],
    });
    await admin.post('/events', { events: [{ type: 'order_created.v0', resource_id: 'o1', object: {} }] });
    const found = await admin.create(`${destination.path}/backfills`, {
      from: LONG_AGO,
      types: ['order_created.v0'],
      dry_run: true,
    });
    expect((await ended(found)).events_total).toBe(1);
    await admin.delete(subscription.path);
    expect((await admin.delete(type.path)).status).toBe(204);
    const response = await admin.post(`${destination.path}/backfills`, { from: LONG_AGO, types: ['order_created.v0'] });
    expect(response.body.errors).toMatchObject([{ pointer: '/types/0' }]);
  });

  it('refuses a destination without a subscription', async () => {
    await newAccount();
    const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };
    const destination = await admin.create('/event_destinations', { target });
    expect(await refused(destination, {})).toEqual([
      { pointer: '/types', detail: 'there is no subscription that sends events to this destination' },
    ]);
  });

  it('refuses ranges and rates that cannot be', async () => {
    await newAccount();
    const destination = await delivering.destination(admin);
    const inADay = new Date(Date.now() + 86_400_000).toISOString();
    expect(await refused(destination, { to: LONG_AGO })).toEqual([
      { pointer: '/to', detail: 'must be later than from' },
    ]);
    expect(await refused(destination, { from: inADay })).toEqual([{ pointer: '/from', detail: 'must be in the past' }]);
    expect(await refused(destination, { to: '2020-02-01T00:00:00Z' })).toEqual([
      {
        pointer: '/to',
        detail: expect.stringMatching(/^must be later than \S+, since when events are kept$/) as string,
      },
    ]);
    expect(await refused(destination, { events_per_second: 1e30 })).toEqual([
      { pointer: '/events_per_second', detail: 'must be at most 1000' },
    ]);
    expect(await refused(destination, { events_per_second: 501 })).toEqual([
      { pointer: '/events_per_second', detail: 'must not be higher than 500, the setting BACKFILL_EVENTS_PER_SECOND' },
    ]);
    expect(await refused(destination, { types: ['a.v0', 'a.v0'] })).toMatchObject([{ pointer: '/types' }]);
    const created = await admin.create(`${destination.path}/backfills`, { from: LONG_AGO, to: inADay });
    expect(Date.parse(String(created.to))).toBeLessThanOrEqual(Date.now() + 5_000);
  });

  it('takes only events that match a filter, and points into one that is none', async () => {
    await newAccount();
    const destination = await delivering.destination(admin);
    expect(await refused(destination, { filter: 'object.description ==' })).toMatchObject([
      { pointer: '/filter', detail: expect.stringMatching(/^line 1, column \d+: /) as string },
    ]);
    await admin.create('/ip_policies', { description: 'one' });
    await admin.create('/ip_policies', { description: 'two' });
    const filter = 'object.description == "two"';
    const created = await admin.create(`${destination.path}/backfills`, { from: LONG_AGO, filter, dry_run: true });
    expect(await ended(created)).toMatchObject({ filter, events_total: 1 });
  });

  it('refuses a filter that does not fit one of its types', async () => {
    await newAccount();
    const destination = await delivering.destination(admin);
    expect(await refused(destination, { filter: 'object.descripton == "two"' })).toMatchObject([
      { pointer: '/filter', position: expect.anything() as unknown },
    ]);
    await admin.create('/event_subscriptions', {
      destination_ids: [destination.id],
      sources: [{ type: 'bot_user_created.v0' }],
    });
    const filter = 'object.description == "two"';
    expect(await refused(destination, { filter })).toMatchObject([
      { pointer: '/filter', detail: expect.stringContaining('for the event type bot_user_created.v0') as string },
    ]);
    const one = await admin.create(`${destination.path}/backfills`, {
      from: LONG_AGO,
      filter,
      types: ['ip_policy_created.v0'],
    });
    expect(one).toMatchObject({ filter });
  });

  it('takes what an api process with a faster clock has recorded', async () => {
    await newAccount();
    const policy = await admin.create('/ip_policies', { description: 'one' });
    await delivering.api.store.pool.query(
      `update events set created_at = now() + interval '1 second' where resource_id = $1`,
      [policy.id],
    );
    const destination = await delivering.destination(admin);
    const created = await admin.create(`${destination.path}/backfills`, { from: LONG_AGO, dry_run: true });
    expect(await ended(created)).toMatchObject({ events_total: 1 });
  });

  it('says which events it may send again: the records of their deliveries are removed', async () => {
    await newAccount();
    const destination = await delivering.destination(admin);
    const { pool } = delivering.api.store;
    const mark = new Date(Date.now() - 60_000).toISOString();
    await pool.query(`insert into retention_marks (kind, complete_since) values ('deliveries', $1)`, [mark]);
    try {
      const backfill = async (from: string): Promise<unknown> => {
        const created = await admin.create(`${destination.path}/backfills`, { from, dry_run: true });
        await ended(created);
        return created.repeats_before;
      };
      await pool.query(`update accounts set created_at = '2020-01-01T00:00:00Z'`);
      // The destination is younger than what was removed.
      expect(await backfill(LONG_AGO)).toBeNull();
      await pool.query(`update resources set created_at = '2020-01-01T00:00:00Z' where id = $1`, [destination.id]);
      expect(await backfill(LONG_AGO)).toBe(mark);
      expect(await backfill(mark)).toBeNull();
    } finally {
      await pool.query('delete from retention_marks');
    }
  });

  it('says what exceeds the retention', async () => {
    await newAccount();
    const destination = await delivering.destination(admin);
    await delivering.api.store.pool.query(`update accounts set created_at = '2020-01-01T00:00:00Z'`);
    const created = await admin.create(`${destination.path}/backfills`, { from: LONG_AGO });
    const kept = Date.now() - Date.parse(String(created.complete_since));
    // 400 days but an hour, within which the events are certain to be kept.
    expect(Math.round(kept / 3_600_000)).toBe(400 * 24 - 1);
  });

  it('is gone with its destination', async () => {
    await newAccount();
    await delivering.publish(2, admin);
    const destination = await admin.create('/event_destinations', {
      target: { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } },
    });
    const subscription = await admin.create('/event_subscriptions', {
      destination_ids: [destination.id],
      sources: [{ type: 'ip_policy_created.v0' }],
    });
    const created = await admin.create(`${destination.path}/backfills`, { from: LONG_AGO, events_per_second: 1 });
    await admin.delete(subscription.path);
    expect((await admin.delete(destination.path)).status).toBe(204);
    for (const response of [
      await admin.get(created.path),
      await admin.get(`${destination.path}/backfills`),
      await admin.post(`${created.path}/cancel`, undefined),
      await admin.post(`${destination.path}/backfills`, { from: LONG_AGO }),
    ])
      expect([response.status, response.body.error_code], response.text).toEqual([404, 'not_found']);
  });

  it('is of its destination alone', async () => {
    await newAccount();
    const [one, other] = [await delivering.destination(admin), await delivering.destination(admin)];
    const { id } = await admin.create(`${one.path}/backfills`, { from: LONG_AGO, dry_run: true });
    expect((await admin.get(`${other.path}/backfills/${id}`)).status).toBe(404);
    expect((await admin.post(`${other.path}/backfills/${id}/cancel`, undefined)).status).toBe(404);
    expect((await admin.get(`${other.path}/backfills?before_id=nothing`)).body.errors).toMatchObject([
      { pointer: '?before_id' },
    ]);
  });
});
