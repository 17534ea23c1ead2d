import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../tools/harness/until.js';
import type { Created, JsonObject, TestClient } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';

const PATH = '/event_destinations/recoveries';
const LONG_AGO = '2020-01-01T00:00:00Z';
/** Events of each destination. */
const EVENTS = 4;

describe('recoveries', () => {
  let delivering: DeliveringApi;
  /** The admin of an account of the test's own. */
  let admin: TestClient;
  let destinations: readonly Created[];
  beforeAll(async () => void (delivering = await DeliveringApi.start()));
  afterAll(() => delivering.close());

  beforeEach(async () => {
    admin = await delivering.api.addAccount();
    destinations = [await delivering.destination(admin), await delivering.destination(admin)];
    await delivering.publish(EVENTS, admin);
    for (const { path } of destinations) await delivering.ended(path, 'delivered', EVENTS, admin);
    await delivering.api.store.pool.query(
      `update finished_deliveries set state = case when sequence % 2 = 0 then 'rejected' else 'expired' end
       where destination_id = any($1)`,
      [destinations.map(({ id }) => id)],
    );
  });

  const stateCounts = async (path: string) => {
    const found = await delivering.deliveries(path, '', admin);
    return Object.fromEntries(
      ['delivered', 'rejected', 'expired'].map((state) => [
        state,
        found.filter((delivery) => delivery.state === state).length,
      ]),
    );
  };

  async function finished({ path }: Created): Promise<JsonObject> {
    let body: JsonObject = {};
    await until(async () => (body = (await admin.get(path)).body).finished_at !== null, 'the recovery has ended');
    return body;
  }

  it('redelivers what was rejected or expired to every destination, and shows the progress', async () => {
    const created = await admin.create(PATH, { from: LONG_AGO });
    expect(created).toMatchObject({
      id: expect.stringMatching(/^rcv_/) as string,
      state: 'running',
      states: ['rejected', 'expired'],
      destination_ids: null,
      events_total: 2 * EVENTS,
      events_redelivered: 0,
      finished_at: null,
    });
    expect(await finished(created)).toMatchObject({
      state: 'finished',
      events_redelivered: 2 * EVENTS,
      destinations_done: 2,
    });
    for (const { path } of destinations) await delivering.ended(path, 'delivered', EVENTS, admin);
    const { body } = await admin.get(PATH);
    expect((body.recoveries as JsonObject[]).map(({ id }) => id)).toEqual([created.id]);
  });

  async function eventsAbout({ id }: Created): Promise<readonly JsonObject[]> {
    const types = ['event_delivery_recovery_started.v0', 'event_delivery_recovery_ended.v0'];
    const { body } = await admin.get(`/events?type=${types.join('&type=')}`);
    const payloads = (body.events as { payload: JsonObject }[]).map(({ payload }) => payload);
    return payloads.filter(({ resource_id: about }) => about === id);
  }

  it('has an event of who requested it and how many events it had, and one of its end', async () => {
    await admin.create('/event_subscriptions', {
      destination_ids: [destinations[0]?.id],
      sources: [{ type: 'event_delivery_recovery_started.v0' }],
    });
    const created = await admin.create(PATH, { from: LONG_AGO, states: ['expired'] });
    const { id, from, to, states } = created as unknown as JsonObject;
    const asked = { id, from, to, states, destination_ids: null, events_total: EVENTS };
    await finished(created);
    const [ended, started] = await eventsAbout(created);
    const { principal } = created as unknown as { principal: JsonObject };
    expect(started).toMatchObject({
      event_type: 'event_delivery_recovery_started.v0',
      principal: { ...principal, credential: { id: expect.stringMatching(/^ak_/) } },
      object: { ...asked, state: 'running', events_redelivered: 0 },
    });
    expect(ended).toMatchObject({
      event_type: 'event_delivery_recovery_ended.v0',
      principal: { subject: 'system:recoveries' },
      object: { ...asked, state: 'finished', events_redelivered: EVENTS },
    });
    // Half of the events of the destination, and the event that it is subscribed to.
    await delivering.ended(destinations[0]?.path ?? '', 'delivered', EVENTS / 2 + 1, admin);
  });

  it('redelivers what was rejected first, whatever the order of the request', async () => {
    const created = await admin.create(PATH, { from: LONG_AGO, states: ['expired', 'rejected'] });
    expect(created.states).toEqual(['rejected', 'expired']);
    expect(await finished(created)).toMatchObject({ events_redelivered: 2 * EVENTS });
  });

  it('redelivers one state to the destinations of a selection', async () => {
    const [first, second] = destinations;
    const before = await stateCounts(second?.path ?? '');
    const created = await admin.create(PATH, { from: LONG_AGO, states: ['rejected'], destination_ids: [first?.id] });
    expect(created.events_total).toBe(2);
    expect(await finished(created)).toMatchObject({ events_redelivered: 2, destinations_done: 1 });
    await delivering.ended(first?.path ?? '', 'delivered', 2, admin);
    expect(await stateCounts(first?.path ?? '')).toEqual({ delivered: 2, rejected: 0, expired: 2 });
    expect(await stateCounts(second?.path ?? '')).toEqual(before);
  });

  it('leaves out events that were recorded earlier', async () => {
    const created = await admin.create(PATH, {
      from: new Date(Date.now() - 1).toISOString(),
      to: '2100-01-01T00:00:00Z',
    });
    expect(created.events_total).toBe(0);
    expect(await finished(created)).toMatchObject({ events_redelivered: 0 });
  });

  it('is one at a time, and can be cancelled', async () => {
    await delivering.api.store.pool.query(`insert into recoveries
      (id, account_id, states, from_time, to_time, claimed_until, principal_id, principal_subject)
      select 'rcv_01kgxf4n8teq0v7m2b5rzd9h3s', account_id, '{rejected}', now(), now(), now() + interval '1 day', 'usr_1', 'Ada'
      from resources where id = '${destinations[0]?.id}'`);
    const refused = await admin.post(PATH, { from: LONG_AGO });
    expect([refused.status, refused.body.error_code]).toEqual([409, 'conflict']);
    const cancelled = await admin.post(`${PATH}/rcv_01kgxf4n8teq0v7m2b5rzd9h3s/cancel`, {});
    expect(cancelled.body.state).toBe('cancelled');
    expect((await admin.post(`${PATH}/rcv_01kgxf4n8teq0v7m2b5rzd9h3s/cancel`, {})).body).toEqual(cancelled.body);
    const { events } = (await admin.get('/events?type=event_delivery_recovery_ended.v0')).body;
    expect(events).toMatchObject([
      { payload: { principal: { credential: { id: expect.any(String) } }, object: { state: 'cancelled' } } },
    ]);
    await finished(await admin.create(PATH, { from: LONG_AGO }));
  });

  it('is not seen from another account', async () => {
    const created = await admin.create(PATH, { from: LONG_AGO });
    const stranger = await delivering.api.addAccount();
    expect((await stranger.get(created.path)).status).toBe(404);
    expect((await stranger.post(`${created.path}/cancel`, {})).status).toBe(404);
    expect((await stranger.get(PATH)).body.recoveries).toEqual([]);
    await finished(created);
  });

  it.each([{}, { from: 'yesterday' }, { from: LONG_AGO, to: LONG_AGO }, { from: LONG_AGO, states: ['delivered'] }])(
    'refuses %j',
    async (body) => {
      expect((await admin.post(PATH, body)).status).toBe(400);
    },
  );
});
