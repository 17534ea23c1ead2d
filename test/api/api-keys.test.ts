import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

describe('API keys', () => {
  it('return their token in the create response only', async () => {
    const key = await api.admin.create('/api_keys', {});
    const token = String(key.token);
    expect(token).toMatch(/^waybill_/);
    const client = api.client(token);
    expect((await client.get(key.path)).status).toBe(200);
    const answers = [
      await api.admin.get(key.path),
      await api.admin.get('/api_keys'),
      await api.admin.patch(key.path, { description: 'x' }),
      await api.admin.get('/events'),
    ];
    expect(answers[0]?.body.token).toBeNull();
    for (const answer of answers) expect(answer.text).not.toContain(token);
  });

  it('store only the hash of a token', async () => {
    const key = await api.admin.create('/api_keys', {});
    const rows = await api.store.pool.query(
      'select t::text from api_tokens t union all select r::text from resources r',
    );
    expect(JSON.stringify(rows.rows)).not.toContain(String(key.token).slice(-40));
  });

  it('stop working at once when they are deleted', async () => {
    const key = await api.admin.create('/api_keys', {});
    const client = api.client(String(key.token));
    expect((await client.get('/ip_policies')).status).toBe(200);
    await api.admin.delete(key.path);
    expect((await client.get('/ip_policies')).status).toBe(401);
  });

  it('stop working at once under load, although requests share key lookups', async () => {
    const key = await api.admin.create('/api_keys', {});
    const client = api.client(String(key.token));
    const under = { load: true };
    const afterwards: number[] = [];
    let deleted = false;
    const caller = async (): Promise<void> => {
      while (under.load) {
        const begunAfter = deleted;
        const { status } = await client.get('/ip_policies?limit=1');
        if (begunAfter) afterwards.push(status);
        if (afterwards.length >= 50) under.load = false;
      }
    };
    const callers = Array.from({ length: 16 }, caller);
    expect((await client.get('/ip_policies?limit=1')).status).toBe(200);
    await api.admin.delete(key.path);
    deleted = true;
    await Promise.all(callers);
    expect(new Set(afterwards)).toEqual(new Set([401]));
  });

  it('belong to the caller unless an admin names another owner', async () => {
    const bot = await api.addBot();
    expect((await bot.create('/api_keys', {})).owner_id).toBe(bot.botId);
    expect((await bot.create('/api_keys', { owner_id: bot.botId })).owner_id).toBe(bot.botId);
    expect((await api.admin.create('/api_keys', { owner_id: bot.botId })).owner_id).toBe(bot.botId);
    const admin = await api.admin.create('/api_keys', {});
    const refused = await bot.post('/api_keys', { owner_id: admin.owner_id });
    expect([refused.status, refused.body.error_code]).toEqual([403, 'forbidden']);
  });

  it('need an existing owner that can own keys', async () => {
    const policy = await api.admin.create('/ip_policies', {});
    for (const owner of [policy.id, 'usr_00000000000000000000000000']) {
      const answer = await api.admin.post('/api_keys', { owner_id: owner });
      expect(answer.body).toMatchObject({ status: 400, errors: [{ pointer: '/owner_id' }] });
    }
  });

  it('of other owners are not found by a principal that is not an admin', async () => {
    const bot = await api.addBot();
    const other = await api.admin.create('/api_keys', {});
    const answers = [
      await bot.get(other.path),
      await bot.patch(other.path, { description: 'mine now' }),
      await bot.delete(other.path),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const { keys } = (await bot.get('/api_keys')).body as { keys: { owner_id: string }[] };
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.every(({ owner_id }) => owner_id === bot.botId)).toBe(true);
  });

  it('cannot change their owner', async () => {
    const bot = await api.addBot();
    const key = await api.admin.create('/api_keys', {});
    expect((await api.admin.patch(key.path, { owner_id: bot.botId })).status).toBe(400);
  });

  it('of an inactive bot are refused with 403 until it is active again', async () => {
    const bot = await api.addBot();
    await api.admin.patch(`/bot_users/${bot.botId}`, { active: false });
    const refused = await bot.get('/ip_policies');
    expect([refused.status, refused.body.error_code]).toEqual([403, 'principal_inactive']);
    await api.admin.patch(`/bot_users/${bot.botId}`, { active: true });
    expect((await bot.get('/ip_policies')).status).toBe(200);
  });

  it('are named in events as the credential, with the principal that owns them', async () => {
    const bot = await api.addBot();
    const policy = await bot.create('/ip_policies', {});
    const list = await bot.get('/events?type=ip_policy_created.v0&limit=1');
    expect(list.body.events).toMatchObject([
      {
        resource_id: policy.id,
        payload: {
          principal: {
            id: bot.botId,
            subject: 'test bot',
            credential: { id: expect.stringMatching(/^ak_/) as string },
          },
        },
      },
    ]);
  });
});

describe('bot users', () => {
  it('are active by default, and have a name', async () => {
    expect((await api.admin.create('/bot_users', { name: 'a' })).active).toBe(true);
    expect((await api.admin.create('/bot_users', { name: 'b', active: false })).active).toBe(false);
    for (const body of [{}, { name: '' }, { name: null }, { name: 1 }, { name: 'a', active: 'yes' }]) {
      expect((await api.admin.post('/bot_users', body)).status).toBe(400);
    }
  });

  it('are paginated with before_id and limit in next_page_uri', async () => {
    const stranger = await api.addAccount();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.unshift((await stranger.create('/bot_users', { name })).id);
    const first = await stranger.get('/bot_users?limit=2');
    expect(first.body).toMatchObject({
      bot_users: [{ id: ids[0] }, { id: ids[1] }],
      next_page_uri: `${api.baseUrl}/bot_users?before_id=${ids[1]}&limit=2`,
    });
    const second = await stranger.get(String(first.body.next_page_uri));
    expect(second.body).toMatchObject({ bot_users: [{ id: ids[2] }], next_page_uri: null });
    expect((await stranger.get('/bot_users?before_id=ipp_x')).status).toBe(400);
  });
});
