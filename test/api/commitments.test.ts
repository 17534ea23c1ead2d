import { createHash } from 'node:crypto';
import { canonicalJson } from '@waybill/verify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordEpochMarkers } from '../../src/events/fan-out/epoch-markers.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

it('every stored payload has a salt of its own and the commitment to it', async () => {
  await api.admin.create('/resource_types', { name: 'parcel' });
  const policy = await api.admin.create('/ip_policies', { metadata: 'hidden' });
  const { id } = await api.admin.create('/event_destinations', { target });
  const fields = { exclude: ['/object/metadata'] };
  const types = ['ip_policy_created.v0', 'ip_policy_updated.v0', 'ip_policy_snapshot.v0', 'parcel_created.v0'];
  await api.admin.create('/event_subscriptions', {
    sources: types.map((type) => ({ type, fields })),
    destination_ids: [id],
  });
  await api.admin.create('/ip_policies', { metadata: 'hidden' });
  await api.admin.patch(policy.path, { description: 'a change behind a snapshot, ä' });
  const parcel = { type: 'parcel_created.v0', resource_id: 'p1', object: { metadata: 'hidden', n: 12.5, z: -0 } };
  expect((await api.admin.post('/events', { events: [parcel] })).status).toBe(202);
  const last = { epoch: 1, sequence: 0 };
  const start = { destinationId: id, accountId: api.accountId, epoch: 2, last, beganAt: new Date(), witnessed: null };
  await api.store.db.transaction().execute((trx) => recordEpochMarkers(trx, [{ ...start, reason: 'declared' }]));

  const { rows } = await api.store.pool.query<{ payload: string; salt: Buffer; commitment: Buffer; part: number }>(
    `select payload, salt, commitment, -1 as part from events
     union all select payload, salt, commitment, part from event_projections`,
  );
  const typesOf = (all: typeof rows) => new Set(all.map(({ payload }) => JSON.parse(payload).event_type));
  const addressed = ['event_destination_epoch_started.v0'];
  expect([...typesOf(rows)]).toEqual(expect.arrayContaining([...types, ...addressed]));
  expect(typesOf(rows.filter(({ part }) => part >= 0))).toEqual(new Set(types));
  for (const { payload, salt, commitment } of rows) {
    const text = canonicalJson(JSON.parse(payload));
    expect(commitment).toEqual(createHash('sha256').update(salt).update(text).digest());
  }
  expect(new Set(rows.map(({ salt }) => salt.toString('hex'))).size).toBe(rows.length);
});
