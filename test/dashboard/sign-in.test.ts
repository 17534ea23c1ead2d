import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { keyRoles } from '../../src/accounts/key-role.js';
import { mintToken } from '../../src/accounts/token.js';
import { newId } from '../../src/ids/id.js';
import { onPostgres } from '../support/redis.js';
import { openDashboard, type DashboardServer } from './dashboard-server.js';

let dashboard: DashboardServer;
let visitors = 0;
let visitor = '';

beforeAll(async () => {
  dashboard = await openDashboard(onPostgres, { TRUST_PROXY: '1' });
});
afterAll(() => dashboard.close());
// Each test uses its own client address, since attempts are counted by address.
beforeEach(() => {
  visitors += 1;
  visitor = `192.0.2.${visitors}`;
});

function signIn(key: string, headers: Readonly<Record<string, string>> = {}, on = dashboard) {
  return on.server.inject({
    method: 'POST',
    url: '/dashboard/login',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': visitor, ...headers },
    payload: new URLSearchParams({ api_key: key }).toString(),
  });
}

async function session(on = dashboard): Promise<Record<string, string>> {
  const response = await signIn(on.adminKey, {}, on);
  const [cookie] = response.cookies;
  if (response.statusCode !== 303 || cookie === undefined) throw new Error(`Not signed in: ${response.body}`);
  return { [cookie.name]: cookie.value };
}

function visit(cookies: Record<string, string>, url = '/dashboard/api/queues') {
  return dashboard.server.inject({ url, cookies });
}

function expectRefused(response: LightMyRequestResponse, status: number, sentence: string): void {
  expect(response.statusCode).toBe(status);
  expect(response.headers['content-type']).toContain('text/html');
  expect(response.body).toContain(sentence);
  expect(response.cookies).toEqual([]);
}

describe('without a session', () => {
  test.each(['/dashboard', '/dashboard/', '/dashboard/queue/monitoring', '/dashboard/static/css/x.css'])(
    '%s leads to the sign-in page',
    async (url) => {
      const response = await visit({}, url);
      expect(response.statusCode).toBe(303);
      expect(response.headers.location).toBe('/dashboard/login');
    },
  );

  test('the data returns 401 with a problem document', async () => {
    const response = await visit({});
    expect(response.statusCode).toBe(401);
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.json()).toMatchObject({ error_code: 'credentials_missing' });
  });

  test('an API key in the URL or the Authorization header gives no access', async () => {
    const url = `/dashboard/api/queues?api_key=${dashboard.adminKey}`;
    const response = await dashboard.server.inject({
      url,
      headers: { authorization: `Bearer ${dashboard.adminKey}` },
    });
    expect(response.statusCode).toBe(401);
  });
});

describe('signing in', () => {
  test('with an admin’s key gives access to the queues', async () => {
    const response = await visit(await session());
    expect(response.statusCode).toBe(200);
    // One queue for each kind of target.
    expect(response.json<{ queues: unknown[] }>().queues).toHaveLength(5);
  });

  test.each([
    ['/dashboard/api/queues?page=99999999999999999999', '?page'],
    ['/dashboard/api/queues?activeQueue=monitoring&page=1&jobsPerPage=1e9', '?jobsPerPage'],
    ['/dashboard/api/queues?page=0', '?page'],
    ['/dashboard/api/queues?activeQueue=%25', '?activeQueue'],
    ['/dashboard/api/job-schedulers?queueName=%25E0', '?queueName'],
    ['/dashboard/api/queues/monitoring/%00', '{jobId}'],
    ['/dashboard/api/queues/%00/x/logs', '{queueName}'],
    ['/dashboard/queue/monitoring/%00', '{jobId}'],
    ['/dashboard/api/queues?colour=%00', '?colour'],
  ])('does not let bull-board see invalid input: %s', async (url, pointer) => {
    const response = await visit(await session(), url);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ error_code: 'invalid_input', errors: [{ pointer }] });
  });

  test.each(['/dashboard/api/queues?activeQueue=monitoring&page=1000000&jobsPerPage=', '/dashboard/api/queues?page=2'])(
    'lets bull-board see %s',
    async (url) => {
      expect((await visit(await session(), url)).statusCode).toBe(200);
    },
  );

  test('hides the session cookie from scripts and other sites', async () => {
    const [cookie] = (await signIn(dashboard.adminKey)).cookies;
    expect(cookie).toMatchObject({ path: '/', httpOnly: true, sameSite: 'Strict' });
    expect(cookie?.maxAge).toBeGreaterThan(28_700);
    expect(cookie?.secure).toBeUndefined();
  });

  test('over TLS restricts the session cookie to TLS', async () => {
    const [cookie] = (await signIn(dashboard.adminKey, { 'x-forwarded-proto': 'https' })).cookies;
    expect(cookie?.secure).toBe(true);
  });

  test.each([mintToken(newId('ak')), 'nonsense', '', 'x'.repeat(300)])(
    'with a wrong key is a 401 page: %s',
    async (key) => {
      expectRefused(await signIn(key), 401, 'This is not an API key of this service.');
    },
  );

  test('with the key of a bot user returns a 403 page', async () => {
    const key = await dashboard.addBotKey({ active: true });
    expectRefused(await signIn(key), 403, 'does not belong to an admin');
  });

  test.each(keyRoles.filter((role) => role !== 'admin'))(
    'with a key of the admin with the role %s returns a 403 page',
    async (role) => {
      expectRefused(await signIn(await dashboard.addKey(role)), 403, `This API key has the role ${role}.`);
    },
  );

  test('with the key of an admin of another account returns a 403 page', async () => {
    const key = await dashboard.addAccount();
    expectRefused(await signIn(key), 403, 'Only an admin of the first account can view them.');
  });

  test('from a page of another site is refused', async () => {
    const elsewhere = await signIn(dashboard.adminKey, { 'sec-fetch-site': 'cross-site' });
    const otherOrigin = await signIn(dashboard.adminKey, { origin: 'https://evil.example' });
    expect([elsewhere.statusCode, otherOrigin.statusCode]).toEqual([403, 403]);
    expect([...elsewhere.cookies, ...otherOrigin.cookies]).toEqual([]);
  });

  test('from the dashboard works if the browser sends only Origin', async () => {
    const response = await signIn(dashboard.adminKey, {
      origin: 'http://queues.example:4700',
      host: 'queues.example:4700',
    });
    expect(response.statusCode).toBe(303);
  });

  test('with an unknown key is refused after UNKNOWN_KEYS_PER_MINUTE of its address', async () => {
    const limited = await openDashboard(onPostgres, { TRUST_PROXY: '1', UNKNOWN_KEYS_PER_MINUTE: '3' });
    try {
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        expect((await signIn(`guess ${attempt}`, {}, limited)).statusCode).toBe(401);
      }
      const response = await signIn('another guess', {}, limited);
      expectRefused(response, 429, 'Too many attempts.');
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      // The proxy adds the client's address behind what the client sent.
      const forged = await signIn('another guess', { 'x-forwarded-for': `198.51.100.1, ${visitor}` }, limited);
      expectRefused(forged, 429, 'Too many attempts.');
      const elsewhere = await signIn('another guess', { 'x-forwarded-for': '198.51.100.1' }, limited);
      expect(elsewhere.statusCode).toBe(401);
      expect((await signIn(limited.adminKey, {}, limited)).statusCode).toBe(303);
    } finally {
      await limited.close();
    }
  });

  test('with one key is refused at the rate of the key', async () => {
    const limited = await openDashboard(onPostgres, { TRUST_PROXY: '1', RATE_LIMIT_PER_MINUTE: '2' });
    try {
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        expect((await signIn(limited.adminKey, {}, limited)).statusCode).toBe(303);
      }
      const refused = await signIn(limited.adminKey, {}, limited);
      expectRefused(refused, 429, 'Too many attempts.');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await limited.close();
    }
  });

  test('logs no key', async () => {
    const wrong = mintToken(newId('ak'));
    await signIn(wrong);
    await signIn(dashboard.adminKey);
    expect(dashboard.logged()).toContain('dashboard sign-in');
    expect(dashboard.logged()).not.toContain(wrong);
    expect(dashboard.logged()).not.toContain(dashboard.adminKey);
  });
});

describe('a session', () => {
  test('ends with a sign-out by form, not by link', async () => {
    const cookies = await session();
    const asked = await visit(cookies, '/dashboard/logout');
    expect(asked.cookies).toEqual([]);
    expect(asked.body).toContain('method="post"');
    const response = await dashboard.server.inject({ method: 'POST', url: '/dashboard/logout', cookies });
    expect(response.headers.location).toBe('/dashboard/login');
    expect(response.cookies).toMatchObject([{ name: 'waybill_session', value: '', path: '/', maxAge: 0 }]);
  });

  test('is over after a sign-out, also for whoever has its cookie, and other sessions are not', async () => {
    const [cookies, others] = [await session(), await session()];
    expect((await visit(cookies)).statusCode).toBe(200);
    await dashboard.server.inject({ method: 'POST', url: '/dashboard/logout', cookies });
    expect((await visit(cookies)).statusCode).toBe(401);
    expect((await visit(others)).statusCode).toBe(200);
  });

  test('expires after eight hours, and the next sign-in deletes it', async () => {
    const other = await openDashboard(onPostgres);
    try {
      const cookies = await session(other);
      const stored = other.store.db.selectFrom('sessions');
      const { expires_at: expiry } = await stored.select('expires_at').executeTakeFirstOrThrow();
      expect(Math.abs(expiry.getTime() - Date.now() - 8 * 3_600_000)).toBeLessThan(60_000);
      await other.store.db.updateTable('sessions').set({ expires_at: new Date() }).execute();
      expect((await other.server.inject({ url: '/dashboard/api/queues', cookies })).statusCode).toBe(401);
      await session(other);
      expect(await stored.select('expires_at').execute()).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(5_000), '\u0000'])(
    'does not begin with a guess: %.20s',
    async (guess) => {
      expect((await visit({ waybill_session: encodeURIComponent(guess) })).statusCode).toBe(401);
    },
  );

  test('is stored without its token', async () => {
    const { waybill_session: token = '' } = await session();
    const { rows } = await dashboard.store.pool.query('select s::text as row from sessions s');
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'));
  });

  test('ends as soon as its owner is no longer an admin or its key is deleted', async () => {
    const other = await openDashboard(onPostgres);
    try {
      const cookies = await session(other);
      const status = async () => (await other.server.inject({ url: '/dashboard/api/queues', cookies })).statusCode;
      expect(await status()).toBe(200);
      await other.store.db
        .updateTable('resources')
        .set({ attributes: JSON.stringify({ name: 'admin', admin: false }) })
        .where('kind', '=', 'user')
        .execute();
      expect(await status()).toBe(401);
      await other.store.db
        .updateTable('resources')
        .set({ attributes: JSON.stringify({ name: 'admin', admin: true }) })
        .where('kind', '=', 'user')
        .execute();
      expect(await status()).toBe(200);
      await other.store.db.deleteFrom('api_tokens').execute();
      expect(await status()).toBe(401);
    } finally {
      await other.close();
    }
  });

  test('of another installation is invalid', async () => {
    const other = await openDashboard(onPostgres);
    const cookies = await session(other);
    await other.close();
    expect((await visit(cookies)).statusCode).toBe(401);
  });
});

describe('changing jobs', () => {
  const pause = (on: DashboardServer, cookies: Record<string, string>, headers: Record<string, string> = {}) =>
    on.server.inject({ method: 'PUT', url: '/dashboard/api/queues/monitoring/pause', cookies, headers });

  test('is refused by every write route while the dashboard is read-only', async () => {
    const cookies = await session();
    const response = await pause(dashboard, cookies);
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ error_code: 'forbidden' });
    for (const [method, url] of [
      ['PUT', '/dashboard/api/queues/pause'],
      ['POST', '/dashboard/api/queues/monitoring/add'],
      ['PUT', '/dashboard/api/queues/monitoring/obliterate'],
      ['PATCH', '/dashboard/api/queues/monitoring/1/update-data'],
    ] as const) {
      const { statusCode } = await dashboard.server.inject({ method, url, cookies });
      expect(statusCode, url).toBe(403);
    }
    expect(await dashboard.queues.queue('monitoring').isPaused()).toBe(false);
  });

  test('is allowed by DASHBOARD_WRITE, but not from another site or without a session', async () => {
    const writable = await openDashboard(onPostgres, { DASHBOARD_WRITE: 'true' });
    try {
      const cookies = await session(writable);
      const queue = writable.queues.queue('monitoring');
      expect((await pause(writable, {})).statusCode).toBe(401);
      expect((await pause(writable, cookies, { 'sec-fetch-site': 'same-site' })).statusCode).toBe(403);
      expect(await queue.isPaused()).toBe(false);
      expect((await pause(writable, cookies, { 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200);
      expect(await queue.isPaused()).toBe(true);
    } finally {
      await writable.close();
    }
  });
});

describe('pages', () => {
  test('forbid framing, foreign scripts and caching', async () => {
    const pages = [await visit({}, '/dashboard/login'), await visit(await session(), '/dashboard/')];
    for (const { statusCode, headers } of pages) {
      expect(statusCode).toBe(200);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toContain('script-src *');
      expect(headers['cache-control']).toBe('no-store');
    }
  });
});

test('a queue store that does not respond gives a 503 that says when to retry, and a line of the log', async () => {
  const cookies = await session();
  const [queue] = dashboard.queues.all();
  if (!queue) throw new Error('There is no queue.');
  const counts = vi.spyOn(queue, 'getJobCounts').mockRejectedValueOnce(new Error('Command timed out'));
  const response = await visit(cookies);
  counts.mockRestore();
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2']);
  expect(response.json()).toMatchObject({ error_code: 'unavailable' });
  expect(dashboard.logged()).toContain('Command timed out');
});

test('two requests of bull-board are served at once, twenty wait, and more get a 503 that says when to retry', async () => {
  const cookies = await session();
  const client = await dashboard.store.pool.connect();
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(format('%I.%I', schemaname, tablename), ', ') as names from pg_tables where schemaname like 'test_%'`,
  );
  await client.query('begin');
  await client.query(`lock table ${rows[0]?.names} in access exclusive mode`);
  const received: LightMyRequestResponse[] = [];
  const all = Array.from({ length: 30 }, async () => received.push(await visit(cookies)));
  await expect.poll(() => received.length).toBe(8);
  expect(received.map(({ statusCode, headers }) => [statusCode, headers['retry-after']])).toEqual(
    Array.from({ length: 8 }, () => [503, '2']),
  );
  await client.query('rollback');
  client.release();
  await Promise.all(all);
  expect(received.slice(8).map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 22 }, () => 200));
});
