import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyRoles } from '../../src/accounts/key-role.js';
import { MOST_CODES } from '../../src/accounts/session-code-store.js';
import type { TestClient } from '../support/api-client.js';
import { BrowserSession, cookieOf, signIn } from '../support/browser-session.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { ADMIN_KEY } from '../support/test-service.js';

let api: TestApi;
let visitor = 0;
beforeAll(async () => {
  api = await startTestApi({ TRUST_PROXY: '1' });
});
afterAll(() => api.close());
// Each test has its own client address, since failed sign-ins are counted by address.
beforeEach(() => {
  visitor += 1;
});

async function codeOf(client: TestClient): Promise<string> {
  const { status, body, text } = await client.post('/session_codes', undefined);
  expect(status, text).toBe(201);
  return String(body.code);
}

const attempt = (body: unknown) => api.client(null).post('/session', body, { 'x-forwarded-for': `192.0.2.${visitor}` });
const use = (code: unknown) => attempt({ code });

describe('a sign-in code', () => {
  it('is part of an address of the console, and is valid for ten minutes', async () => {
    const { body, headers } = await api.admin.post('/session_codes', undefined);
    expect(body).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      url: `${api.baseUrl}/console/sign-in#code=${String(body.code)}`,
      expires_at: expect.any(String),
    });
    expect(Math.abs(Date.parse(String(body.expires_at)) - Date.now() - 600_000)).toBeLessThan(60_000);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it.each(keyRoles)('signs in with the key that made it, once: %s', async (role) => {
    const key = await api.admin.create('/api_keys', { role });
    const code = await codeOf(api.client(String(key.token)));
    const response = await use(code);
    expect(response.body).toMatchObject({ credential_id: key.id, role });
    expect((await new BrowserSession(api.baseUrl, cookieOf(response)).get('/session')).status).toBe(200);
    const again = await use(code);
    expect([again.status, again.body.error_code]).toEqual([401, 'sign_in_code_invalid']);
    expect(again.headers.get('set-cookie')).toBeNull();
  });

  it('signs in one of many browsers that use it at the same time', async () => {
    const code = await codeOf(api.admin);
    const responses = await Promise.all(Array.from({ length: 8 }, () => use(code)));
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
  });

  it('expires, also when it is used too late only once', async () => {
    const code = await codeOf(api.admin);
    await api.store.db.updateTable('session_codes').set({ expires_at: new Date() }).execute();
    expect((await use(code)).body.error_code).toBe('sign_in_code_invalid');
  });

  it('is worth nothing after its key was deleted', async () => {
    const key = await api.admin.create('/api_keys', {});
    const code = await codeOf(api.client(String(key.token)));
    await api.admin.delete(key.path);
    expect((await use(code)).body.error_code).toBe('sign_in_code_invalid');
  });

  it('stays valid when the sign-in is refused', async () => {
    const bot = await api.addBot();
    const code = await codeOf(bot);
    await api.admin.patch(`/bot_users/${bot.botId}`, { active: false });
    expect((await use(code)).body.error_code).toBe('principal_inactive');
    await api.admin.patch(`/bot_users/${bot.botId}`, { active: true });
    expect((await use(code)).status).toBe(200);
    expect((await use(code)).body.error_code).toBe('sign_in_code_invalid');
  });

  it('is stored as a hash, and a replay of its creation does not have it', async () => {
    const headers = { 'idempotency-key': 'one-code' };
    const { body } = await api.admin.post('/session_codes', undefined, headers);
    const replayed = await api.admin.post('/session_codes', undefined, headers);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(replayed.body).toEqual({ code: null, url: null, expires_at: body.expires_at });
    const code = String(body.code);
    const tables = ['session_codes', 'idempotency_keys', 'sessions'];
    for (const table of tables) {
      const { rows } = await api.store.pool.query(`select t::text as row from ${table} t`);
      expect(JSON.stringify(rows)).not.toContain(code);
      expect(JSON.stringify(rows)).not.toContain(Buffer.from(code).toString('hex'));
    }
    expect((await use(code)).status).toBe(200);
  });

  it('of a session makes a session that ends no later than that one', async () => {
    const first = await signIn(api.baseUrl, { code: await codeOf(api.admin) });
    const until = new Date(Date.now() + 60_000);
    const { body } = await first.get('/session');
    await api.store.db
      .updateTable('sessions')
      .set({ expires_at: until })
      .where('key_id', '=', String(body.credential_id))
      .execute();
    const second = await use(await codeOf(first));
    expect(second.body.expires_at).toBe(until.toISOString());
    const third = await use(await codeOf(new BrowserSession(api.baseUrl, cookieOf(second))));
    expect(third.body.expires_at).toBe(until.toISOString());
    const age = Number(/Max-Age=(\d+)/.exec(third.headers.get('set-cookie') ?? '')?.[1]);
    expect(age).toBeLessThanOrEqual(60);
  });

  it('of a session ends with it', async () => {
    const session = await signIn(api.baseUrl, { token: ADMIN_KEY });
    const [before, after] = [await codeOf(session), await codeOf(session)];
    expect((await use(before)).status).toBe(200);
    expect((await session.delete('/session')).status).toBe(204);
    const refused = await use(after);
    expect([refused.status, refused.body.error_code]).toEqual([401, 'sign_in_code_invalid']);
    const late = await use(after);
    expect(late.headers.get('set-cookie')).toBeNull();
  });

  it('of a session ends when a sign-in replaces the session', async () => {
    const session = await signIn(api.baseUrl, { token: ADMIN_KEY });
    const code = await codeOf(session);
    expect((await session.post('/session', { token: ADMIN_KEY })).status).toBe(200);
    expect((await use(code)).status).toBe(401);
  });

  it('can be previewed: the response names the account and the principal, begins no session, and keeps the code', async () => {
    const key = await api.admin.create('/api_keys', { role: 'auditor' });
    const code = await codeOf(api.client(String(key.token)));
    const current = await signIn(api.baseUrl, { token: ADMIN_KEY });
    for (const client of [api.client(null), current]) {
      const preview = await client.post('/session', { code, preview: true });
      expect(preview.body).toMatchObject({
        account_id: api.accountId,
        account_name: expect.stringMatching(/./) as string,
        principal: { name: 'admin' },
        credential_id: key.id,
        role: 'auditor',
        expires_at: null,
      });
      expect(preview.headers.get('set-cookie')).toBeNull();
    }
    expect((await current.get('/session')).body.role).toBe('admin');
    expect((await use(code)).body.role).toBe('auditor');
    const used = await attempt({ code, preview: true });
    expect([used.status, used.body.error_code]).toEqual([401, 'sign_in_code_invalid']);
    const withKey = await attempt({ token: ADMIN_KEY, preview: true });
    expect(withKey.status).toBe(400);
  });

  it('replaces the oldest of the key, when the key has too many', async () => {
    const key = api.client(String((await api.admin.create('/api_keys', {})).token));
    const codes: string[] = [];
    for (let count = 0; count <= MOST_CODES; count += 1) codes.push(await codeOf(key));
    expect((await use(codes[0])).status).toBe(401);
    expect((await use(codes[1])).status).toBe(200);
    expect((await use(codes.at(-1))).status).toBe(200);
  });

  it('needs a key or a session', async () => {
    const { status, body } = await api.client(null).post('/session_codes', undefined);
    expect([status, body.error_code]).toEqual([401, 'credentials_missing']);
  });
});
