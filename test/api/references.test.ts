import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';

const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

describe('a referenced resource', () => {
  it('cannot be deleted, and the error names the referrers', async () => {
    const policy = await api.admin.create('/ip_policies', {});
    const rule = { ip_policy_id: policy.id, cidr: '192.0.2.0/24', action: 'allow' };
    const first = await api.admin.create('/ip_policy_rules', rule);
    const second = await api.admin.create('/ip_policy_rules', { ...rule, cidr: '198.51.100.0/24' });
    const response = await api.admin.delete(policy.path);
    expect([response.status, response.body.error_code]).toEqual([409, 'still_referenced']);
    expect(response.body.conflicts).toEqual([first.id, second.id].toSorted());
    await api.admin.delete(first.path);
    await api.admin.delete(second.path);
    expect((await api.admin.delete(policy.path)).status).toBe(204);
  });

  it.each([
    ['/event_destinations', { target }, '/event_subscriptions', (id: string) => ({ destination_ids: [id] })],
    ['/bot_users', { name: 'b' }, '/api_keys', (id: string) => ({ owner_id: id })],
  ])('cannot be deleted: %s', async (path, body, referrerPath, referrerBody) => {
    const resource = await api.admin.create(path, body);
    const referrer = await api.admin.create(referrerPath, referrerBody(resource.id));
    expect((await api.admin.delete(resource.path)).body).toMatchObject({
      status: 409,
      conflicts: [referrer.id],
    });
    expect((await api.admin.delete(referrer.path)).status).toBe(204);
    expect((await api.admin.delete(resource.path)).status).toBe(204);
  });
});

describe('a reference', () => {
  it('to nothing, to another family or to another account is refused with a pointer', async () => {
    const stranger = await api.addAccount();
    const theirs = await stranger.create('/ip_policies', {});
    const bot = await api.admin.create('/bot_users', { name: 'b' });
    const before = await api.admin.get('/ip_policy_rules');
    for (const id of [theirs.id, bot.id, 'ipp_00000000000000000000000000', 'nonsense']) {
      const response = await api.admin.post('/ip_policy_rules', {
        ip_policy_id: id,
        cidr: '192.0.2.1',
        action: 'allow',
      });
      expect(response.status).toBe(400);
      expect(response.body.errors).toMatchObject([{ pointer: '/ip_policy_id' }]);
    }
    expect((await api.admin.get('/ip_policy_rules')).body).toEqual(before.body);
  });

  it('in a list is refused with a pointer to its index', async () => {
    const destination = await api.admin.create('/event_destinations', { target });
    const response = await api.admin.post('/event_subscriptions', {
      destination_ids: [destination.id, 'ed_missing'],
    });
    expect(response.body.errors).toMatchObject([{ pointer: '/destination_ids/1' }]);
  });

  it('is never left dangling by a concurrent deletion', async () => {
    for (let round = 0; round < 10; round += 1) {
      const policy = await api.admin.create('/ip_policies', {});
      const [made, deleted] = await Promise.all([
        api.admin.post('/ip_policy_rules', { ip_policy_id: policy.id, cidr: '192.0.2.1', action: 'allow' }),
        api.admin.delete(policy.path),
      ]);
      const both = [made.status, deleted.status];
      expect([
        [201, 409],
        [400, 204],
      ]).toContainEqual(both);
    }
  });
});
