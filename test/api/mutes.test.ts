import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LaneTotalsStore } from '../../src/observability/lane-totals-store.js';
import type { JsonObject } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';
import type { TestApi } from '../support/test-api.js';

let ground: DeliveringApi;
let api: TestApi;
beforeAll(async () => {
  ground = await DeliveringApi.start({ DELIVERY_BACKOFF_BASE_MS: '20', DELIVERY_BACKOFF_CAP_MS: '100' });
  ({ api } = ground);
});
afterAll(() => ground.close());

const asked = { reason: 'The SIEM is being moved, see OPS-512.', until: '2126-12-01T08:00:00.000Z' };
const ENDED = '2026-01-01T00:00:00.000Z';
const shown = {
  ...asked,
  since: expect.stringMatching(/^\d{4}-.*Z$/),
  principal: { id: expect.any(String), subject: expect.any(String), credential_id: expect.stringMatching(/^ak_/) },
};

async function lastEventOf(path: string): Promise<JsonObject> {
  const { events } = (await api.admin.get(`${path}/events?limit=1`)).body as { events: { payload: JsonObject }[] };
  return events[0]?.payload ?? {};
}

const statusOf = async (path: string): Promise<JsonObject> => (await api.admin.get(`${path}/status`)).body;

describe('a mute', () => {
  it('is a change of the destination with who made it, its reason and its end, and so is its early end', async () => {
    const { path } = await ground.destination();
    const muted = await api.admin.patch(path, { muted: asked });
    expect([muted.status, muted.body.muted], muted.text).toEqual([200, shown]);
    expect(await lastEventOf(path)).toMatchObject({
      event_type: 'event_destination_updated.v0',
      changes: { before: { muted: null }, after: { muted: muted.body.muted } },
    });
    expect((await api.admin.patch(path, { muted: null })).body.muted).toBeNull();
    expect(await lastEventOf(path)).toMatchObject({ changes: { before: { muted: shown }, after: { muted: null } } });
  });

  it('shows in the status while it lasts, and delivers as before', async () => {
    const { path } = await ground.destination();
    const { muted } = (await api.admin.patch(path, { muted: asked })).body;
    expect(await statusOf(path)).toMatchObject({ status: 'healthy', muted });
    await ground.publish(1);
    await ground.ended(path, 'delivered', 1);
  });

  it('ends by itself: the status has it no more, and the destination still says who muted it', async () => {
    const { path, id } = await ground.destination();
    await api.admin.patch(path, { muted: asked });
    // What the end of a mute leaves behind, without waiting for it.
    await api.store.pool.query('update delivery_lanes set muted_until = now() where destination_id = $1', [id]);
    expect(await statusOf(path)).toMatchObject({ muted: null });
    expect((await api.admin.get(path)).body.muted).toEqual(shown);
    const past = await api.admin.patch(path, { muted: { ...asked, until: ENDED } });
    expect(past.body.muted, past.text).toMatchObject({ until: ENDED });
    expect(await statusOf(path)).toMatchObject({ muted: null });
  });

  it('follows at once in the stream of statuses, and is counted apart by the metrics', async () => {
    const { path, id } = await ground.destination();
    const totals = async () =>
      (await new LaneTotalsStore(api.store.db).page('')).totals
        .filter(({ isMuted }) => isMuted)
        .reduce((sum, { lanes }) => sum + lanes, 0);
    const before = await totals();
    const { rows } = await api.store.pool.query('select xmin from delivery_lanes where destination_id = $1', [id]);
    await api.admin.patch(path, { muted: asked });
    const after = await api.store.pool.query('select xmin from delivery_lanes where destination_id = $1', [id]);
    expect(after.rows).not.toEqual(rows);
    expect(await totals()).toBe(before + 1);
    await api.admin.patch(path, { muted: null });
    expect(await totals()).toBe(before);
  });

  it('can be there from the creation on, sent back as it was read, and replaced', async () => {
    const { body: base } = await api.admin.get((await ground.destination()).path);
    const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'secret' };
    const stream = { auth: { creds }, stream_arn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/muted' };
    const { path, muted } = await api.admin.create('/event_destinations', {
      target: { data_stream: stream },
      muted: asked,
    });
    expect([muted, base.muted]).toEqual([shown, null]);
    expect(await statusOf(path)).toMatchObject({ muted });
    const read = await api.admin.get(path);
    for (const same of [muted, asked, { ...asked, until: '2126-12-01T09:00:00+01:00' }]) {
      const back = await api.admin.patch(path, { muted: same });
      expect([back.status, back.text], back.text).toEqual([200, read.text]);
    }
    const longer = { reason: 'It takes longer.', until: '2127-01-01T00:00:00.000Z' };
    const refused = await api.admin.patch(path, { muted: { ...(muted as object), ...longer } });
    expect(refused.status).toBe(400);
    expect((refused.body.errors as JsonObject[]).map(({ pointer }) => pointer)).toEqual([
      '/muted/since',
      '/muted/principal',
    ]);
    expect((await api.admin.patch(path, { muted: longer })).body.muted).toMatchObject(longer);
  });

  it('needs a reason and an end, and may be set by an operator', async () => {
    const { path } = await ground.destination();
    for (const muted of [{ reason: asked.reason }, { until: asked.until }, { ...asked, reason: ' ' }, {}])
      expect((await api.admin.patch(path, { muted })).status).toBe(400);
    const { token } = await api.admin.create('/api_keys', { role: 'operator' });
    expect((await api.client(String(token)).patch(path, { muted: asked })).body.muted).toEqual(shown);
  });
});
