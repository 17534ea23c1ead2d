import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyRoles } from '../../src/accounts/key-role.js';
import { MOST_SESSIONS } from '../../src/accounts/session-store.js';
import type { TestClient } from '../support/api-client.js';
import { BrowserSession, cookieOf, signIn } from '../support/browser-session.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { ADMIN_KEY } from '../support/test-service.js';

let api: TestApi;
let anyone: TestClient;
let visitors = 0;
let visitor = '';
beforeAll(async () => {
  api = await startTestApi({ TRUST_PROXY: '1' });
  anyone = api.client(null);
});
afterAll(() => api.close());
// Each test uses its own client address, since unknown keys and codes are counted by address.
beforeEach(() => {
  visitors += 1;
  visitor = `192.0.2.${visitors}`;
});

const attempt = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  anyone.post('/session', body, { 'x-forwarded-for': visitor, 'sec-fetch-site': 'same-origin', ...headers });

/** A session of a new key of the admin with this role. */
async function sessionOf(role: string) {
  const key = await api.admin.create('/api_keys', { role });
  return { key, session: await signIn(api.baseUrl, { token: String(key.token) }) };
}

describe('signing in', () => {
  it('with an API key says who signed in, and sets a cookie for this origin alone', async () => {
    const response = await attempt({ token: ADMIN_KEY });
    expect(response.status, response.text).toBe(200);
    expect(response.body).toEqual({
      account_id: api.accountId,
      account_name: expect.any(String),
      principal: { id: expect.stringMatching(/^usr_/), type: 'user', name: 'admin', admin: true },
      credential_id: expect.stringMatching(/^ak_/),
      role: 'admin',
      access: ['self', 'read', 'export', 'operate', 'change', 'publish'],
      may_view_queues: true,
      expires_at: expect.any(String),
    });
    const [cookie, ...attributes] = (response.headers.get('set-cookie') ?? '').split('; ');
    expect(cookie).toMatch(/^waybill_session=[\w-]{43}$/);
    expect(attributes.toSorted()).toEqual([
      'HttpOnly',
      expect.stringMatching(/^Max-Age=28(800|79\d)$/),
      'Path=/',
      'SameSite=Strict',
    ]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('over HTTPS sets a cookie that no other host can set', async () => {
    const response = await attempt({ token: ADMIN_KEY }, { 'x-forwarded-proto': 'https' });
    const header = response.headers.get('set-cookie') ?? '';
    expect(header).toMatch(/^__Host-waybill_session=[\w-]{43}; /);
    expect(header).toContain('; Secure');
    const session = new BrowserSession(api.baseUrl, cookieOf(response));
    expect((await session.get('/session', { 'x-forwarded-proto': 'https' })).status).toBe(200);
    // The same value under the name that other hosts can set.
    const renamed = cookieOf(response).replace('__Host-', '');
    const forged = await anyone.get('/session', { cookie: renamed, 'x-forwarded-proto': 'https' });
    expect(forged.body.error_code).toBe('credentials_missing');
  });

  it('where PUBLIC_URL uses HTTPS restricts the cookie to HTTPS, whatever the process receives', async () => {
    const published = await startTestApi({ PUBLIC_URL: 'https://waybill.example' });
    try {
      const response = await published.client(null).post('/session', { token: ADMIN_KEY });
      expect(response.headers.get('set-cookie')).toMatch(/^__Host-waybill_session=.*; Secure/);
      expect((await new BrowserSession(published.baseUrl, cookieOf(response)).get('/session')).status).toBe(200);
    } finally {
      await published.close();
    }
  });

  it.each([
    ['an unknown key', { token: 'nonsense' }, 401, 'credentials_invalid'],
    ['an unknown code', { code: 'A'.repeat(43) }, 401, 'sign_in_code_invalid'],
    ['a code of another form', { code: '\u0001' }, 401, 'sign_in_code_invalid'],
    ['neither', {}, 400, 'invalid_input'],
    ['both', { token: ADMIN_KEY, code: 'x' }, 400, 'invalid_input'],
    ['an empty key', { token: '' }, 400, 'invalid_input'],
    ['a list', { token: [ADMIN_KEY] }, 400, 'invalid_input'],
    ['a long key', { token: 'x'.repeat(300) }, 400, 'invalid_input'],
    ['no body', undefined, 400, 'invalid_input'],
  ])('with %s is refused without a cookie', async (_, body, status, code) => {
    const response = await attempt(body);
    expect([response.status, response.body.error_code], response.text).toEqual([status, code]);
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  it('with the key of an inactive bot is refused', async () => {
    const bot = await api.addBot();
    await api.admin.patch(`/bot_users/${bot.botId}`, { active: false });
    const response = await attempt({ token: bot.token });
    expect([response.status, response.body.error_code]).toEqual([403, 'principal_inactive']);
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
    { 'sec-fetch-site': undefined, origin: 'null' },
    {
      'sec-fetch-site': undefined,
      'x-forwarded-host': 'waybill.example',
      'x-forwarded-proto': 'https',
      origin: 'http://waybill.example',
    },
    { 'sec-fetch-site': undefined, 'x-forwarded-host': 'waybill.example', origin: 'https://waybill.example' },
  ])('from a page of another site is refused: %j', async (headers) => {
    const response = await anyone.post('/session', { token: ADMIN_KEY }, headers);
    expect([response.status, response.body.error_code]).toEqual([403, 'cross_origin']);
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  it('from a page of this origin works if the browser sends only Origin', async () => {
    const headers = { 'sec-fetch-site': undefined, origin: new URL(api.baseUrl).origin };
    expect((await anyone.post('/session', { token: ADMIN_KEY }, headers)).status).toBe(200);
  });

  it('over HTTPS works if the browser sends only Origin', async () => {
    const headers = { 'x-forwarded-host': 'waybill.example', 'x-forwarded-proto': 'https' };
    const response = await anyone.post(
      '/session',
      { token: ADMIN_KEY },
      { ...headers, origin: 'https://waybill.example' },
    );
    expect(response.status, response.text).toBe(200);
  });

  it('counts unknown keys and codes of an address together, whatever succeeds in between', async () => {
    const limited = await startTestApi({ UNKNOWN_KEYS_PER_MINUTE: '4', TRUST_PROXY: '1' });
    try {
      const from = (address: string, body: unknown) =>
        limited.client(null).post('/session', body, { 'x-forwarded-for': address, 'sec-fetch-site': 'same-origin' });
      const statuses: number[] = [];
      for (let number = 1; number <= 6; number += 1) {
        const guess = `guess ${number}`;
        statuses.push((await from(visitor, number % 2 === 0 ? { token: guess } : { code: guess })).status);
        expect((await from(visitor, { token: ADMIN_KEY })).status).toBe(200);
      }
      expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
      const refused = await from(visitor, { token: 'another guess' });
      expect([refused.status, refused.body.error_code]).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await from('198.51.100.1', { token: 'another guess' })).status).toBe(401);
    } finally {
      await limited.close();
    }
  });

  it('takes no token that the browser brings, and ends the session that it had', async () => {
    const planted = `waybill_session=${'A'.repeat(43)}`;
    const first = await attempt({ token: ADMIN_KEY }, { cookie: planted });
    expect(cookieOf(first)).not.toBe(planted);
    expect((await new BrowserSession(api.baseUrl, planted).get('/session')).body.error_code).toBe('session_ended');
    const session = new BrowserSession(api.baseUrl, cookieOf(first));
    expect((await session.get('/session')).status).toBe(200);
    const second = await attempt({ token: ADMIN_KEY }, { cookie: session.cookie });
    expect((await session.get('/session')).body.error_code).toBe('session_ended');
    expect((await new BrowserSession(api.baseUrl, cookieOf(second)).get('/session')).status).toBe(200);
  });

  it('ends the sessions of the key that would expire first, when it has too many', async () => {
    const { key, session } = await sessionOf('auditor');
    const others = [];
    for (let count = 1; count < MOST_SESSIONS; count += 1) {
      others.push(await signIn(api.baseUrl, { token: String(key.token) }));
    }
    expect((await session.get('/session')).status).toBe(200);
    await signIn(api.baseUrl, { token: String(key.token) });
    expect((await session.get('/session')).body.error_code).toBe('session_ended');
    expect((await others[0]?.get('/session'))?.status).toBe(200);
  });
});

describe('a session', () => {
  it('says who calls, as does an API key', async () => {
    const bot = await api.addBot();
    const { body: signedIn } = await attempt({ token: bot.token });
    const session = await signIn(api.baseUrl, { token: bot.token });
    const { body } = await session.get('/session');
    expect({ ...body, expires_at: null }).toEqual({ ...signedIn, expires_at: null });
    expect(Date.parse(String(body.expires_at)) - Date.now()).toBeGreaterThan(7 * 3_600_000);
    expect(body).toMatchObject({
      principal: { id: bot.botId, type: 'bot_user', admin: false },
      may_view_queues: false,
    });
    expect((await bot.get('/session')).body).toEqual({ ...body, expires_at: null });
  });

  it('needs the version header for changes only', async () => {
    const session = await signIn(api.baseUrl, { token: ADMIN_KEY });
    const without = { 'service-version': undefined };
    expect((await session.get('/ip_policies', without)).status).toBe(200);
    expect((await session.send('HEAD', '/ip_policies', undefined, without)).status).toBe(200);
    expect((await session.post('/ip_policies', {}, without)).body.error_code).toBe('service_version_missing');
    const wrong = await session.get('/ip_policies', { 'service-version': '1' });
    expect(wrong.body.error_code).toBe('service_version_unsupported');
    expect((await api.admin.get('/ip_policies', without)).body.error_code).toBe('service_version_missing');
  });

  it('makes changes in the name of its key', async () => {
    const { key, session } = await sessionOf('admin');
    const created = await session.create('/ip_policies', { description: 'by session' });
    const { body } = await api.admin.get(`${created.path}/events`);
    expect(body.events).toMatchObject([{ payload: { principal: { credential: { id: key.id } } } }]);
  });

  it.each(keyRoles)('has the role of its key: %s', async (role) => {
    const { session } = await sessionOf(role);
    expect((await session.get('/session')).body).toMatchObject({ role, may_view_queues: role === 'admin' });
    expect((await session.get('/ip_policies')).status).toBe(role === 'publisher' ? 403 : 200);
    expect((await session.post('/ip_policies', {})).status).toBe(role === 'admin' ? 201 : 403);
  });

  it('shows its own account only', async () => {
    const stranger = await api.addAccount();
    const policy = await api.admin.create('/ip_policies', {});
    const session = await signIn(api.baseUrl, { token: stranger.token });
    expect((await session.get(policy.path)).status).toBe(404);
    expect((await session.delete(policy.path)).status).toBe(404);
    expect((await session.get('/ip_policies')).body.ip_policies).toEqual([]);
    expect((await session.get('/session')).body).toMatchObject({ may_view_queues: false });
  });

  it('loses to an Authorization header', async () => {
    const { session } = await sessionOf('auditor');
    const withKey = { authorization: `Bearer ${ADMIN_KEY}`, 'sec-fetch-site': 'cross-site' };
    expect((await session.post('/ip_policies', {}, withKey)).status).toBe(201);
    const unknown = await session.get('/session', { authorization: 'Bearer nonsense' });
    expect(unknown.body.error_code).toBe('credentials_invalid');
  });

  it('ends as soon as its key is deleted, and permits nothing while its bot is inactive', async () => {
    const { key, session } = await sessionOf('auditor');
    expect((await session.get('/ip_policies')).status).toBe(200);
    await api.admin.delete(key.path);
    const ended = await session.get('/ip_policies');
    expect([ended.status, ended.body.error_code]).toEqual([401, 'session_ended']);
    const bot = await api.addBot();
    const ofBot = await signIn(api.baseUrl, { token: bot.token });
    await api.admin.patch(`/bot_users/${bot.botId}`, { active: false });
    expect((await ofBot.get('/ip_policies')).body.error_code).toBe('principal_inactive');
    await api.admin.patch(`/bot_users/${bot.botId}`, { active: true });
    expect((await ofBot.get('/ip_policies')).status).toBe(200);
  });

  it('expires, and the next sign-in deletes it', async () => {
    const { key, session } = await sessionOf('auditor');
    await api.store.db.updateTable('sessions').set({ expires_at: new Date() }).where('key_id', '=', key.id).execute();
    expect((await session.get('/session')).body.error_code).toBe('session_ended');
    await signIn(api.baseUrl, { token: String(key.token) });
    const stored = api.store.db.selectFrom('sessions').select('token_hash').where('key_id', '=', key.id);
    expect(await stored.execute()).toHaveLength(1);
  });

  it.each(['', 'x', 'A'.repeat(43), 'A'.repeat(5_000), '%00', '%E0%A4%A', '"', '='])(
    'does not begin with a guess: %.20s',
    async (guess) => {
      const response = await new BrowserSession(api.baseUrl, `waybill_session=${guess}`).get('/session');
      expect([response.status, response.body.error_code]).toEqual([401, 'session_ended']);
    },
  );

  it('is stored without its token', async () => {
    const session = await signIn(api.baseUrl, { token: ADMIN_KEY });
    const [, token = ''] = session.cookie.split('=');
    const { rows } = await api.store.pool.query('select s::text as row from sessions s');
    expect(rows).not.toEqual([]);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'));
  });
});

describe('a page of another site', () => {
  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'not a url' },
  ])('changes nothing with a session: %j', async (headers) => {
    const session = await signIn(api.baseUrl, { token: ADMIN_KEY });
    const policy = await session.create('/ip_policies', {});
    const { text: before } = await session.get('/ip_policies');
    const responses = [
      await session.post('/ip_policies', {}, headers),
      await session.patch(policy.path, { description: 'changed' }, headers),
      await session.delete(policy.path, headers),
      await session.post('/session_codes', undefined, headers),
      await session.delete('/session', headers),
    ];
    for (const { status, body, text } of responses) {
      expect([status, body.error_code], text).toEqual([403, 'cross_origin']);
    }
    expect((await session.get('/ip_policies')).text).toBe(before);
  });

  it('learns nothing of a session that has ended either, and an API key works from anywhere', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const ended = await new BrowserSession(api.baseUrl, `waybill_session=${'A'.repeat(43)}`).post(
      '/ip_policies',
      {},
      headers,
    );
    expect(ended.body.error_code).toBe('cross_origin');
    expect((await api.admin.post('/ip_policies', {}, headers)).status).toBe(201);
  });
});

describe('signing out', () => {
  it('ends the session on the server, also for others who have its cookie, and no other session', async () => {
    const { key, session } = await sessionOf('operator');
    const other = await signIn(api.baseUrl, { token: String(key.token) });
    const response = await session.delete('/session', { 'sec-fetch-site': 'same-origin' });
    expect([response.status, response.text]).toEqual([204, '']);
    expect(response.headers.get('set-cookie')).toMatch(
      /^waybill_session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const after = await session.get('/session');
    expect([after.status, after.body.error_code]).toEqual([401, 'session_ended']);
    expect((await other.get('/session')).status).toBe(200);
  });

  it('succeeds without a session, and with one that has ended', async () => {
    expect((await anyone.delete('/session')).status).toBe(204);
    const { session } = await sessionOf('operator');
    await session.delete('/session');
    expect((await session.delete('/session')).status).toBe(204);
  });
});

describe('the dashboard', () => {
  const visit = (session: BrowserSession) =>
    fetch(`${api.baseUrl}/dashboard/api/queues`, { headers: { cookie: session.cookie }, redirect: 'manual' });

  it('has the same session as the console, until the sign-out', async () => {
    const session = await signIn(api.baseUrl, { token: ADMIN_KEY });
    expect((await visit(session)).status).toBe(200);
    await session.delete('/session');
    expect((await visit(session)).status).toBe(401);
  });

  it('shows nothing to a session of another role, of a bot, or of another account', async () => {
    const tokens = [
      ...(await Promise.all(
        keyRoles
          .filter((role) => role !== 'admin')
          .map(async (role) => String((await api.admin.create('/api_keys', { role })).token)),
      )),
      (await api.addBot()).token,
      (await api.addAccount()).token,
    ];
    for (const token of tokens) expect((await visit(await signIn(api.baseUrl, { token }))).status).toBe(403);
  });
});

describe('an unknown cookie', () => {
  it.each([
    ['DELETE', '/session'],
    ['GET', '/session'],
    ['GET', '/dashboard/'],
    ['GET', '/dashboard/api/queues'],
    ['PUT', '/dashboard/api/queues/pause'],
  ])('counts as a guess at %s %s', async (method, path) => {
    const limited = await startTestApi({ UNKNOWN_KEYS_PER_MINUTE: '5', TRUST_PROXY: '1' });
    try {
      const session = await signIn(limited.baseUrl, { token: ADMIN_KEY });
      const guess = (count: number) =>
        fetch(`${limited.baseUrl}${path}`, {
          method,
          redirect: 'manual',
          headers: {
            cookie: `waybill_session=${String(count).padStart(43, 'A')}`,
            'service-version': '2',
            'sec-fetch-site': 'same-origin',
          },
        });
      const statuses: number[] = [];
      for (let count = 1; count <= 8; count += 1) {
        const response = await guess(count);
        statuses.push(response.status);
        if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(statuses.slice(0, 5)).not.toContain(429);
      expect(statuses.slice(5)).toEqual([429, 429, 429]);
      expect((await session.get('/session')).status).toBe(200);
      expect((await session.send('DELETE', '/session')).status).toBe(204);
    } finally {
      await limited.close();
    }
  });
});
