import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signIn } from '../support/browser-session.js';
import { onPostgres } from '../support/redis.js';
import { openDashboard, type DashboardServer } from './dashboard-server.js';

let dashboard: DashboardServer;
beforeAll(async () => {
  dashboard = await openDashboard(onPostgres);
});
afterAll(() => dashboard.close());

async function session(on = dashboard): Promise<Record<string, string>> {
  const { cookie } = await signIn(on.url, { token: on.adminKey });
  const [name = '', value = ''] = cookie.split('=');
  return { [name]: value };
}

function visit(cookies: Record<string, string>, url = '/dashboard/api/queues') {
  return dashboard.server.inject({ url, cookies });
}

describe('without a session', () => {
  test.each([
    ['/dashboard', '%2Fdashboard'],
    ['/dashboard/', '%2Fdashboard%2F'],
    ['/dashboard/queue/a%20b?status=x&page=2', '%2Fdashboard%2Fqueue%2Fa%2520b%3Fstatus%3Dx%26page%3D2'],
    ['/dashboard/static/css/x.css', '%2Fdashboard%2Fstatic%2Fcss%2Fx.css'],
  ])('%s leads to the sign-in of the console, which leads back', async (url, next) => {
    const response = await visit({}, url);
    expect(response.statusCode).toBe(303);
    expect(response.headers.location).toBe(`/console/sign-in?next=${next}`);
  });

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

describe('a session', () => {
  test('of an admin gives access to the queues', async () => {
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

  test('shows nothing as soon as its owner is no longer an admin or its key is deleted', async () => {
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
      expect(await status()).toBe(403);
      const page = await other.server.inject({ url: '/dashboard/', cookies });
      expect([page.statusCode, page.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
      expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(page.headers['cache-control']).toBe('no-store');
      expect(page.body).toContain('Only an admin of the first account may view them');
      expect(page.body).not.toContain('<script');
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
    const { statusCode, headers } = await visit(await session(), '/dashboard/');
    expect(statusCode).toBe(200);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).not.toContain('script-src *');
    expect(headers['cache-control']).toBe('no-store');
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
