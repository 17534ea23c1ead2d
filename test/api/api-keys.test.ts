import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../support/api-client.js';
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
    const responses = [
      await api.admin.get(key.path),
      await api.admin.get('/api_keys'),
      await api.admin.patch(key.path, { description: 'x' }),
      await api.admin.get('/events'),
    ];
    expect(responses[0]?.body.token).toBeNull();
    for (const response of responses) expect(response.text).not.toContain(token);
  });

  it('can be created without a body, for the caller', async () => {
    const answer = await api.admin.post('/api_keys', undefined);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ description: null, metadata: null });
    expect((await api.client(String(answer.body.token)).get('/ip_policies')).status).toBe(200);
    const empty = await api.admin.post('/api_keys', '', { 'content-type': 'application/json' });
    expect(empty.status).toBe(201);
    expect((await api.admin.post('/api_keys', 'null', { 'content-type': 'application/json' })).status).toBe(400);
    // A required field is missing.
    expect((await api.admin.post('/bot_users', undefined)).status).toBe(400);
  });

  it('do not return their token again when the create is replayed', async () => {
    const once = () => api.admin.post('/api_keys', { description: 'once' }, { 'idempotency-key': 'token once' });
    const first = await once();
    const replayed = await once();
    expect(first.body.token).toMatch(/^waybill_/);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(replayed.body).toEqual({ ...first.body, token: null });
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
      const response = await api.admin.post('/api_keys', { owner_id: owner });
      expect(response.body).toMatchObject({ status: 400, errors: [{ pointer: '/owner_id' }] });
    }
  });

  it('of other owners are not found by a principal that is not an admin', async () => {
    const bot = await api.addBot();
    const other = await api.admin.create('/api_keys', {});
    const responses = [
      await bot.get(other.path),
      await bot.patch(other.path, { description: 'mine now' }),
      await bot.delete(other.path),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
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

describe('API keys that make API keys', () => {
  const made = async (by: TestClient, body: object = {}) => {
    const key = await by.create('/api_keys', body);
    const maker: unknown = key.created_by_key_id;
    return { id: key.id, path: key.path, maker, client: api.client(String(key.token)) };
  };
  const statusOf = async (key: { readonly client: TestClient }) => (await key.client.get('/ip_policies')).status;

  it('are named by the keys that they made', async () => {
    const first = await made(api.admin);
    const second = await made(first.client);
    expect(second.maker).toBe(first.id);
    await api.admin.delete(first.path);
    expect((await api.admin.get(second.path)).body.created_by_key_id).toBe(first.id);
    const refused = await api.admin.post('/api_keys', { created_by_key_id: first.id });
    expect(refused.status).toBe(400);
  });

  it('leave those keys when they are deleted alone', async () => {
    const first = await made(api.admin);
    const second = await made(first.client);
    for (const query of ['', '?with_created_keys=false']) {
      const key = await made(first.client);
      expect((await api.admin.delete(`${key.path}${query}`)).status).toBe(204);
    }
    await api.admin.delete(first.path);
    expect(await statusOf(second)).toBe(200);
  });

  it('are deleted with all keys that follow from them, each with its event', async () => {
    const root = await made(api.admin);
    const bot = await api.admin.create('/bot_users', { name: 'a' });
    const [child, ofBot] = [await made(root.client), await made(root.client, { owner_id: bot.id })];
    const grandchild = await made(child.client);
    const sibling = await made(api.admin);
    const deleted = await api.admin.delete(`${root.path}?with_created_keys=true`, { 'if-match': '"v1"' });
    expect(deleted.status).toBe(204);
    for (const key of [root, child, ofBot, grandchild]) expect(await statusOf(key)).toBe(401);
    expect(await statusOf(sibling)).toBe(200);
    const { events } = (await api.admin.get('/events?type=api_key_deleted.v0&limit=4')).body as {
      events: { resource_id: string }[];
    };
    const ids = events.map((event) => event.resource_id);
    expect(ids.toSorted()).toEqual([root.id, child.id, ofBot.id, grandchild.id].toSorted());
  });

  it('of a bot are deleted by the bot with those that they made', async () => {
    const bot = await api.addBot();
    const first = await made(bot);
    const second = await made(first.client);
    expect((await bot.delete(`${first.path}?with_created_keys=true`)).status).toBe(204);
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401]);
  });

  it('leave no key behind that is made while they are deleted', async () => {
    for (let round = 0; round < 5; round += 1) {
      const root = await made(api.admin);
      const racing = Array.from({ length: 8 }, () => root.client.post('/api_keys', {}));
      const deleted = api.admin.delete(`${root.path}?with_created_keys=true`);
      const answers = await Promise.all(racing);
      expect((await deleted).status).toBe(204);
      for (const { status, body } of answers) {
        expect([201, 401]).toContain(status);
        if (status === 201) expect(await statusOf({ client: api.client(String(body.token)) })).toBe(401);
      }
    }
  });

  it.each(['?with_created_keys=yes', '?with_created_keys', '?created=true'])('refuse %s', async (query) => {
    const key = await made(api.admin);
    expect((await api.admin.delete(`${key.path}${query}`)).status).toBe(400);
    expect(await statusOf(key)).toBe(200);
  });
});

describe('the last API key of an admin', () => {
  const idOf = async (client: TestClient) => {
    const { keys } = (await client.get('/api_keys')).body as { keys: { id: string }[] };
    return keys.map(({ id }) => `/api_keys/${id}`);
  };

  it('cannot be deleted, also where bots have keys', async () => {
    const admin = await api.addAccount();
    const [path = ''] = await idOf(admin);
    const bot = await admin.create('/bot_users', { name: 'a' });
    await admin.create('/api_keys', { owner_id: bot.id });
    const refused = await admin.delete(path);
    expect([refused.status, refused.body.error_code]).toEqual([409, 'last_admin_key']);
    expect((await admin.get('/api_keys')).status).toBe(200);
    await admin.create('/api_keys', {});
    expect((await admin.delete(path)).status).toBe(204);
  });

  it('is kept when it would be deleted with the key that made it', async () => {
    const admin = await api.addAccount();
    const [path = ''] = await idOf(admin);
    const child = await admin.create('/api_keys', {});
    const refused = await admin.delete(`${path}?with_created_keys=true`);
    expect([refused.status, refused.body.error_code]).toEqual([409, 'last_admin_key']);
    expect((await admin.get(child.path)).status).toBe(200);
  });

  it('is kept when the last two are deleted at the same time', async () => {
    let refused = 0;
    // A key that is deleted before the other request is read cannot delete anything.
    for (let round = 0; round < 50 && refused < 5; round += 1) {
      const admin = await api.addAccount();
      const other = api.client(String((await admin.create('/api_keys', {})).token));
      const [one = '', two = ''] = await idOf(admin);
      const answers = await Promise.all([admin.delete(one), other.delete(two)]);
      const statuses = answers.map(({ status }) => status);
      expect(statuses).toContain(204);
      if (statuses.includes(401)) continue;
      expect(new Set(statuses)).toEqual(new Set([204, 409]));
      refused += 1;
    }
    expect(refused).toBe(5);
  });
});

describe('bot users', () => {
  it('are created, changed and deleted by admins only, and seen by all', async () => {
    const bot = await api.addBot();
    const other = await api.admin.create('/bot_users', { name: 'other', active: false });
    const own = `/bot_users/${bot.botId}`;
    const answers = [
      await bot.post('/bot_users', { name: 'mine' }),
      await bot.patch(own, { name: 'admin' }),
      await bot.patch(other.path, { active: true }),
      await bot.delete(other.path),
      await bot.delete(own),
    ];
    for (const { status, body } of answers) expect([status, body.error_code]).toEqual([403, 'forbidden']);
    expect((await bot.get(other.path)).body).toMatchObject({ name: 'other', active: false });
    expect((await bot.get(own)).body).toMatchObject({ name: 'test bot', active: true });
  });

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
