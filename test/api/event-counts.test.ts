import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventSearchStore } from '../../src/events/log/event-search-store.js';
import type { JsonObject, TestClient } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';

const HOUR_MS = 3_600_000;

describe('the counts of events', () => {
  let ground: DeliveringApi;
  let admin: TestClient;
  beforeAll(async () => {
    ground = await DeliveringApi.start();
    admin = await ground.api.addAccount();
    const { path, id } = await ground.destination(admin);
    await ground.publish(4, admin);
    await ground.ended(path, 'delivered', 4, admin);
    await ground.api.store.pool.query(
      `update finished_deliveries set state = 'rejected' where destination_id = $1 and sequence = 4`,
      [id],
    );
  });
  afterAll(() => ground.close());

  const TYPE = 'type=ip_policy_created.v0';
  async function counted(query: string): Promise<JsonObject & { readonly steps: readonly number[] }> {
    const { status, body, text } = await admin.get(`/events/counts?${query}`);
    expect(status, text).toBe(200);
    return body as JsonObject & { steps: number[] };
  }
  const sumOf = (steps: readonly number[]) => steps.reduce((sum, count) => sum + count, 0);

  it('are those of the search, in 60 steps of its time, with the states of the deliveries', async () => {
    const from = new Date(Date.now() - HOUR_MS).toISOString();
    const found = await counted(`${TYPE}&from=${from}`);
    expect(found).toMatchObject({
      from,
      events: 4,
      reached: null,
      deliveries: { pending: 0, delivered: 3, rejected: 1, expired: 0, cancelled: 0 },
      deliveries_of: 4,
    });
    expect([found.steps.length, sumOf(found.steps), sumOf(found.steps.slice(0, 30))]).toEqual([60, 4, 0]);
    expect(Date.parse(String(found.to))).toBeGreaterThan(Date.parse(from));
  });

  it('leave out events beside the filters and the time', async () => {
    const { id } = await admin.create('/ip_policies', { description: 'alone' });
    expect(await counted(`object_id=${id}`)).toMatchObject({ events: 1 });
    expect(await counted(`text=alone&${TYPE}`)).toMatchObject({ events: 1 });
    const none = await counted(`${TYPE}&to=2020-01-01T00:00:00Z`);
    expect([none.events, sumOf(none.steps), none.deliveries_of]).toEqual([0, 0, 0]);
    const future = await counted('from=2100-01-01T00:00:00Z');
    expect([future.events, future.from, future.to]).toEqual([
      0,
      '2100-01-01T00:00:00.000Z',
      '2100-01-01T00:00:00.001Z',
    ]);
  });

  it('say how far the events were read', async () => {
    const { rows } = await ground.api.store.pool.query<{ account_id: string; created_at: Date }>(
      'select account_id, created_at from events where type = $1 and account_id = $2 order by id desc offset 1 limit 1',
      ['ip_policy_created.v0', String((await admin.get('/session')).body.account_id)],
    );
    const [second] = rows;
    const store = new EventSearchStore(ground.api.store.db, 2);
    const filter = { type: ['ip_policy_created.v0'], from: new Date(0).toISOString() };
    const found = await store.counts(second?.account_id ?? '', filter);
    expect(found).toMatchObject({ events: 2, reached: second?.created_at, from: second?.created_at });
  });

  it('refuse an event type that does not exist, and what a search refuses', async () => {
    for (const query of [
      'type=none.v0',
      'from=yesterday',
      'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
      'limit=1',
    ])
      expect((await admin.get(`/events/counts?${query}`)).status).toBe(400);
  });
});
