import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintToken } from '../../src/accounts/token.js';
import { newId } from '../../src/ids/id.js';
import { openDashboard, type DashboardServer } from '../dashboard/dashboard-server.js';
import { TestClient } from '../support/api-client.js';
import { BrowserSession, cookieOf } from '../support/browser-session.js';
import { onPostgres } from '../support/redis.js';

let service: DashboardServer;
beforeAll(async () => {
  service = await openDashboard(onPostgres, { RATE_LIMIT_PER_MINUTE: '40' });
});
afterAll(() => service.close());

const anyone = () => new TestClient(service.url, null);

describe('the secrets of a sign-in', () => {
  it('are in no log line and in no row', async () => {
    const unknown = mintToken(newId('ak'));
    await anyone().post('/session', { token: unknown });
    const guess = 'guessed-code-0123456789';
    await anyone().post('/session', { code: guess });
    const first = new BrowserSession(
      service.url,
      cookieOf(await anyone().post('/session', { token: service.adminKey })),
    );
    const { body } = await first.post('/session_codes', undefined);
    const code = String(body.code);
    const second = new BrowserSession(service.url, cookieOf(await anyone().post('/session', { code })));
    await second.get('/event_destinations/status');
    await second.get(`/ip_policies?${code}=1`);
    await second.delete('/session');
    const cookies = [first, second].map(({ cookie }) => cookie.split('=')[1] ?? '');
    const secrets = [unknown, guess, service.adminKey, code, ...cookies];
    expect(secrets.every((secret) => secret.length > 20)).toBe(true);
    const log = service.logged();
    expect(log).toContain('"sign-in"');
    expect(log).toContain('sign-in refused: unknown API key or code');
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
    for (const table of ['sessions', 'session_codes', 'events', 'idempotency_keys']) {
      const { rows } = await service.store.pool.query(`select t::text as row from ${table} t`);
      const text = JSON.stringify(rows);
      const written = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('hex')]);
      expect(written.filter((secret) => text.includes(secret))).toEqual([]);
    }
  });
});

describe('sign-ins with a valid key', () => {
  it('count against the rate of the key', async () => {
    const token = await service.addKey('auditor');
    const statuses: number[] = [];
    for (let count = 0; count < 45; count += 1) statuses.push((await anyone().post('/session', { token })).status);
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(429);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});
