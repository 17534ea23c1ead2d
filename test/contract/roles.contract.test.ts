import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyRoles, type KeyRole } from '../../src/accounts/key-role.js';
import { fillPath, type Operation } from '../../tools/attack/requests/operations.js';
import type { TestClient } from '../support/api-client.js';
import { signIn, type BrowserSession } from '../support/browser-session.js';
import { createFixtures, document, operations, type Fixtures } from '../support/fixtures.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let fixtures: Fixtures;
/** A key of the admin with each role. */
let clients: Readonly<Record<KeyRole, TestClient>>;
/** A session of each key. */
let sessions: Readonly<Record<KeyRole, BrowserSession>>;
beforeAll(async () => {
  api = await startTestApi();
  fixtures = await createFixtures(api);
  const keys = await Promise.all(
    keyRoles.map(async (role) => [role, (await api.admin.create('/api_keys', { role })).token] as const),
  );
  clients = Object.fromEntries(keys.map(([role, token]) => [role, api.client(String(token))])) as typeof clients;
  const opened = await Promise.all(
    keys.map(async ([role, token]) => [role, await signIn(api.baseUrl, { token: String(token) })] as const),
  );
  sessions = Object.fromEntries(opened) as typeof sessions;
});
afterAll(() => api.close());

interface Declared {
  readonly 'x-roles'?: readonly KeyRole[];
  readonly description?: string;
  readonly security: readonly object[];
}

/** What the document declares for an operation. */
function declarationOf({ method, path }: Operation): Declared {
  return document.paths[path]?.[method.toLowerCase()] as unknown as Declared;
}

function rolesOf(operation: Operation): readonly KeyRole[] {
  return declarationOf(operation)['x-roles'] ?? [];
}

/** The operations that take an API key. A new route is among them by itself. */
const withKey = operations
  .filter((operation) => declarationOf(operation).security.length > 0)
  .map((operation) => [`${operation.method} ${operation.path}`, operation] as const);
/** What a route says of the caller and of the process: it differs between callers and times, and every role may ask. */
const ofEveryRole = ['GET /session', 'GET /service', 'POST /session_codes'];

function send(
  operation: Operation,
  client: TestClient,
  headers: Readonly<Record<string, string | undefined>> = { 'sec-fetch-site': 'same-origin' },
) {
  const path = fillPath(operation.path, fixtures.parametersOf(operation.path));
  return client.send(operation.method, path, fixtures.bodyOf(operation), headers);
}

async function rowCounts(): Promise<unknown> {
  const { rows } = await api.store.pool.query(
    `select (select count(*)::int from events) as events, (select count(*)::int from resources) as resources,
            (select count(*)::int from deliveries) as deliveries, (select count(*)::int from exports) as exports`,
  );
  return rows[0];
}

describe('the declaration of a route', () => {
  it('names known roles, admin among them, also in its description', () => {
    for (const [name, operation] of withKey) {
      const roles = rolesOf(operation);
      expect(roles, name).toContain('admin');
      expect(
        roles.filter((role) => !keyRoles.includes(role)),
        name,
      ).toEqual([]);
      const text = `Roles: ${roles.map((role) => `\`${role}\``).join(', ')}.`;
      expect(declarationOf(operation).description?.endsWith(text), name).toBe(true);
    }
  });

  it('lets an auditor read and export everything and do nothing else, and a publisher publish', () => {
    const allowedTo = (role: KeyRole) => withKey.filter(([, one]) => rolesOf(one).includes(role)).map(([name]) => name);
    const reads = withKey.filter(([name]) => name.startsWith('GET ')).map(([name]) => name);
    for (const role of keyRoles) expect(allowedTo(role)).toEqual(expect.arrayContaining(ofEveryRole));
    // They change nothing, and need a body.
    const readsWithBody = ['POST /event_subscriptions/preview'];
    const exporting = [
      'POST /exports',
      'DELETE /exports/{id}',
      'POST /exports/{id}/cancel',
      'POST /event_destinations/{id}/log_links',
    ];
    const others = (role: KeyRole) =>
      allowedTo(role).filter((name) => !reads.includes(name) && !ofEveryRole.includes(name));
    expect(allowedTo('auditor')).toEqual(expect.arrayContaining(reads));
    expect(others('auditor').toSorted()).toEqual([...readsWithBody, ...exporting].toSorted());
    expect(others('operator').filter((name) => ![...readsWithBody, ...exporting].includes(name))).toEqual([
      'POST /event_destinations/recoveries',
      'POST /event_destinations/recoveries/{recovery_id}/cancel',
      'PATCH /event_destinations/{id}',
      'POST /event_destinations/{id}/backfills',
      'POST /event_destinations/{id}/backfills/{backfill_id}/cancel',
      'POST /event_destinations/{id}/redeliveries',
      'POST /event_destinations/{id}/test',
    ]);
    expect(allowedTo('publisher').filter((name) => !ofEveryRole.includes(name))).toEqual(['POST /events']);
    expect(allowedTo('admin')).toEqual(withKey.map(([name]) => name));
  });
});

describe('a route', () => {
  it.each(keyRoles)(
    'is accepted with the role %s where that is declared, and changes nothing elsewhere',
    async (role) => {
      const before = await rowCounts();
      let refused = 0;
      for (const [name, operation] of withKey) {
        const allowed = rolesOf(operation);
        if (allowed.includes(role)) {
          // The version header is checked after the role, so that an accepted request changes nothing either.
          const { status, body, text } = await send(operation, clients[role], { 'service-version': undefined });
          expect([status, body.error_code], `${name}: ${text}`).toEqual([400, 'service_version_missing']);
          continue;
        }
        refused += 1;
        for (const client of [clients[role], sessions[role]]) {
          const { status, body, text } = await send(operation, client);
          const answer = [status, body.error_code, body.allowed_roles];
          expect(answer, `${name}: ${text}`).toEqual([403, 'role_not_allowed', allowed]);
        }
      }
      expect(await rowCounts()).toEqual(before);
      if (role !== 'admin') expect(refused).toBeGreaterThan(50);
    },
  );

  it('refuses before it reads the body, and says nothing of paths without an operation', async () => {
    const malformed = await clients.publisher.send('POST', '/ip_policies', '{', { 'service-version': undefined });
    expect(malformed.body).toMatchObject({ error_code: 'role_not_allowed', allowed_roles: ['admin'] });
    expect(malformed.body.detail).toMatch(/has the role publisher\. This operation takes keys with the role admin\.$/);
    expect((await clients.publisher.get('/nowhere')).body.error_code).toBe('route_not_found');
    expect((await clients.publisher.send('HEAD', '/events')).status).toBe(403);
    expect((await clients.auditor.send('HEAD', '/events')).status).toBe(200);
  });
});

describe('a key with the role auditor', () => {
  it('reads what the owner reads, and no secret, and so does each session of a role that may', async () => {
    const known = ['0123456789abcdef0123456789abcdef', 'PRIVATE KEY', 'waybill_'];
    for (const [name, operation] of withKey.filter(([, { method }]) => method === 'GET')) {
      if (name === 'GET /service') continue;
      const ofRoles = (['admin', 'operator', 'auditor'] as const).filter((role) => rolesOf(operation).includes(role));
      if (name === 'GET /session') {
        for (const role of ofRoles) expect((await send(operation, sessions[role])).status, name).toBe(200);
        continue;
      }
      const { text: asAdmin } = await send(operation, clients.admin);
      for (const client of [clients.auditor, ...ofRoles.map((role) => sessions[role])]) {
        const { status, text } = await send(operation, client);
        expect([status, text], name).toEqual([200, asAdmin]);
      }
      expect(
        known.filter((secret) => asAdmin.includes(secret)),
        name,
      ).toEqual([]);
    }
  });

  it('adds nothing to the rights of a bot: it sees only the keys of the bot', async () => {
    const bot = await api.admin.create('/bot_users', { name: 'the auditor' });
    const { id, token } = await api.admin.create('/api_keys', { owner_id: bot.id, role: 'auditor' });
    const { keys } = (await api.client(String(token)).get('/api_keys')).body as { keys: { id: string }[] };
    expect(keys.map((key) => key.id)).toEqual([id]);
  });
});

describe('a key with the role operator', () => {
  it('pauses a destination and ends the pause, and changes nothing else of it', async () => {
    const [id = ''] = fixtures.parametersOf('/event_destinations/{id}');
    const path = `/event_destinations/${id}`;
    const { text: unchanged } = await api.admin.get(path);
    const reason = { reason: 'maintenance of the SIEM' };
    const refused: readonly unknown[] = [
      {},
      [],
      null,
      { description: 'mine' },
      { paused: reason, description: 'mine' },
      { paused: null, target: {} },
      undefined,
    ];
    for (const body of refused) {
      const before = await rowCounts();
      const response = await clients.operator.patch(path, body);
      expect([response.status, response.body.error_code], response.text).toEqual([403, 'role_not_allowed']);
      expect(response.body.allowed_roles).toEqual(['admin']);
      expect(await rowCounts()).toEqual(before);
    }
    expect((await api.admin.get(path)).text).toBe(unchanged);
    expect((await clients.operator.patch(path, { paused: reason })).body).toMatchObject({ paused: reason });
    expect((await clients.auditor.patch(path, { paused: null })).status).toBe(403);
    expect((await clients.operator.patch(path, { paused: null })).body).toMatchObject({ paused: null });
  });

  it('redelivers and backfills, and creates no key, not even of its own role', async () => {
    const [id = ''] = fixtures.parametersOf('/event_destinations/{id}');
    const redelivered = await clients.operator.post(`/event_destinations/${id}/redeliveries`, { state: 'rejected' });
    expect(redelivered.status, redelivered.text).toBe(202);
    const backfilled = await clients.operator.post(`/event_destinations/${id}/backfills`, {
      from: '2020-01-01T00:00:00Z',
      dry_run: true,
    });
    expect(backfilled.status, backfilled.text).toBe(201);
    for (const role of keyRoles)
      expect((await clients.operator.post('/api_keys', { role })).body.error_code).toBe('role_not_allowed');
  });
});

describe.each(keyRoles.filter((role) => role !== 'admin'))('a key with the role %s', (given) => {
  it('shows its role, which cannot be changed', async () => {
    const created = await api.admin.create('/api_keys', { role: given });
    expect(created).toMatchObject({ role: given });
    expect((await api.admin.get(created.path)).body).toMatchObject({ role: given, token: null });
    expect((await api.admin.patch(created.path, { role: 'admin' })).body).toMatchObject({
      errors: [{ pointer: '/role', detail: 'is unknown' }],
    });
  });

  it('is not found by a release that knows no roles: its stored hash is not that of the token', async () => {
    const created = await api.admin.create('/api_keys', { role: given });
    const { rows } = await api.store.pool.query(
      `select from api_tokens where key_id = $1 and token_hash = sha256(convert_to($2, 'UTF8'))`,
      [created.id, created.token],
    );
    expect(rows).toEqual([]);
  });
});

describe('the role of a new key', () => {
  it('is admin by default, and one of the known ones', async () => {
    expect((await api.admin.create('/api_keys', {})).role).toBe('admin');
    const unknown = await api.admin.post('/api_keys', { role: 'root' });
    expect(unknown.body).toMatchObject({ errors: [{ pointer: '/role' }] });
  });

  it('decides whether the key counts as one of the admins', async () => {
    const { keys } = (await api.admin.get('/api_keys')).body as { keys: { id: string; role: string }[] };
    const [last, ...others] = keys.filter(({ role }) => role === 'admin').toReversed();
    for (const { id } of others) expect((await api.admin.delete(`/api_keys/${id}`)).status).toBe(204);
    const refused = await api.admin.delete(`/api_keys/${last?.id}`);
    expect([refused.status, refused.body.error_code]).toEqual([409, 'last_admin_key']);
    for (const { id, role } of keys) {
      if (role !== 'admin') expect((await api.admin.delete(`/api_keys/${id}`)).status).toBe(204);
    }
  });
});
